// Sends a test push to the requesting device.
import { type PushPayload, testText } from '#contract/notifications/push-payload.ts'
import type { TestOutcome } from '#contract/notifications/push-subscriptions.ts'
import type { Deps } from '#server/deps.ts'
import { findDevice } from '#server/store/notifications/push-subscriptions.ts'
import { sendPush } from './send-push.ts'

/** Sends within the request, without a job, so that the reply has the outcome. */
export async function sendTestPush(
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
  const result = await sendPush(deps, device, payload, 'test')
  if (result.is === 'accepted') return 'sent'
  return result.is === 'failed' && result.why === 'expired' ? 'none' : 'failed'
}
