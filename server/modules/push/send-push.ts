// Sends one push to one device, and records the reply of its push service.
import type { PushPayload } from '#contract/notifications/push-payload.ts'
import type { Deps } from '#server/deps.ts'
import { deliveryOf, MAX_PUSH, MAX_REFUSALS, pushText, SHORT_PUSH } from '#server/rules/push-message.ts'
import {
  type DeviceRow,
  removeDevice,
  recordRefused,
  recordAccepted,
} from '#server/store/notifications/push-subscriptions.ts'

/**
 * The result of a push. `accepted`: by the push service. `later`: a retry may succeed, not before `after` seconds if
 * it is set. `failed`: there is no retry.
 */
export type SendResult =
  | { readonly is: 'accepted' }
  | { readonly is: 'later'; readonly after: number | undefined }
  | { readonly is: 'failed'; readonly why: 'expired' | 'refused'; readonly status: number }

export async function sendPush(
  { db, push, clock }: Pick<Deps, 'db' | 'push' | 'clock'>,
  device: DeviceRow,
  payload: PushPayload,
  topic: string,
): Promise<SendResult> {
  const { ttl, urgency } = deliveryOf(payload.notification.data.setting_cd)
  const send = (limit: number) => push.send(device, { text: pushText(payload, limit), ttl, urgency, topic })
  let reply = await send(MAX_PUSH)
  if (reply.is === 'too_large') reply = await send(SHORT_PUSH)
  switch (reply.is) {
    case 'accepted':
      await recordAccepted(db, device.id, clock())
      return { is: 'accepted' }
    case 'expired':
      await removeDevice(db, device.id)
      return { is: 'failed', why: 'expired', status: 410 }
    case 'later':
      return reply
    case 'too_large':
    case 'refused': {
      const status = reply.is === 'refused' ? reply.status : 413
      if ((await recordRefused(db, device.id)) >= MAX_REFUSALS) await removeDevice(db, device.id)
      return { is: 'failed', why: 'refused', status }
    }
    default:
      return reply satisfies never
  }
}
