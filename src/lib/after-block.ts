// After a block or a mute: whatever this device has read of people and their things is read again.
import type { QueryClient } from '@tanstack/react-query'

/** What stays as it is: nothing in it depends on whom one sees. */
const untouched = new Set([
  'getOperator',
  'getHealth',
  'listSessions',
  'listPasskeys',
  'getIdentity',
  'getExport',
  'getDeletion',
  'getOwnInfo',
  'getPrivacySettings',
  'getNotificationSettings',
  'listOwnPlans',
])

/**
 * Reads again what is shown, and forgets what is not, so that nothing of before comes back with a step to another page.
 * A list that is new tomorrow is read again too: what stays is named, not what goes.
 */
export async function readAgainAfterBlock(client: QueryClient): Promise<void> {
  const concerned = {
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !untouched.has(String(queryKey[0])),
  }
  client.removeQueries({ ...concerned, type: 'inactive' })
  await client.invalidateQueries(concerned)
}
