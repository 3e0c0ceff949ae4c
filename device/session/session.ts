// The signed-in person's token, where the worker can read it.
import { evictResponsesIn } from '#device/cache/eviction.ts'
import { emitChange } from '#device/database/changes.ts'
import { transact } from '#device/database/database.ts'
import { recordSignInIn, recordSignOutIn } from './signed-out.ts'
import { parseRow } from '#device/database/rows.ts'
import type { Session } from '#device/database/schema.ts'

const KEY = 'current'

/**
 * Stores the session; this person's jobs that waited for a sign-in continue. Cached responses of
 * other people are removed, and all of them if the set of hidden people changed since they were read.
 */
export async function saveSession(session: Session): Promise<void> {
  await transact(['session', 'settings', 'answers', 'pictures'], 'readwrite', async (tx) => {
    const before = parseRow('session', await tx.objectStore('session').get(KEY))
    await tx.objectStore('session').put(session, KEY)
    const sameHidden = before?.user.apart === session.user.apart
    await evictResponsesIn(tx, (ownerId) => ownerId !== session.user.id || !sameHidden)
    await recordSignInIn(tx, session.user.id)
  })
  emitChange({ store: 'session' })
}

/** The session, or `undefined` when no person is signed in on this device. */
export function readSession(): Promise<Session | undefined> {
  return transact(['session'], 'readonly', async (tx) =>
    parseRow('session', await tx.objectStore('session').get(KEY)),
  )
}

/**
 * Deletes the session without a sign-out by the person: their data stays on the device until the next sign-in.
 * Cached responses are removed: the session may have been ended because the device was lost.
 * @param token only when the stored token is still this one (a refusal of an old token must not end a new session)
 * @param closed the server has shut the account
 */
export async function clearSession(token?: string, closed?: 'suspended'): Promise<void> {
  const cleared = await transact(['session', 'settings', 'answers', 'pictures'], 'readwrite', async (tx) => {
    const session = parseRow('session', await tx.objectStore('session').get(KEY))
    if (token !== undefined && session?.token !== token) return false
    await tx.objectStore('session').delete(KEY)
    await evictResponsesIn(tx, () => true)
    if (session) await recordSignOutIn(tx, session.user, false, closed)
    return true
  })
  if (cleared) emitChange({ store: 'session' })
}
