// A test push to the requesting device.
import { type PushPayload, testText } from '#contract/notifications/push-payload.ts'
import type { TestOutcome } from '#contract/notifications/push-subscriptions.ts'
import type { Deps } from '#server/deps.ts'
import { findDevice } from '#server/store/notifications/push-subscriptions.ts'
import { handOver } from './hand-over.ts'

/** Sent while they wait, so that they learn what became of it. */
export async function tryDevice(
  deps: Deps,
  { id: userId, sessionId }: { readonly id: string; readonly sessionId: string },
): Promise<TestOutcome> {
  const device = await findDevice(deps.db, sessionId)
  if (!device) return 'none'
  const payload: PushPayload = {
    web_push: 8030,
    mutable: true,
    notification: {
      ...testText,
      lang: 'ja',
      dir: 'ltr',
      tag: 'test',
      navigate: `${deps.settings.publicUrl}/settings/notification`,
      data: { setting_cd: 'test', user_id: userId },
    },
    app_badge: 0,
  }
  const said = await handOver(deps, device, payload, 'test')
  if (said.is === 'taken') return 'sent'
  return said.is === 'over' && said.why === 'gone' ? 'none' : 'failed'
}
