// One push for one device: handed to its push service, and what that said of the device noted.
import type { PushPayload } from '#contract/notifications/push-payload.ts'
import type { Deps } from '#server/deps.ts'
import { deliveryOf, MAX_PUSH, MAX_REFUSALS, pushText, SHORT_PUSH } from '#server/rules/push-message.ts'
import {
  type DeviceRow,
  removeDevice,
  recordRefused,
  recordAccepted,
} from '#server/store/notifications/push-subscriptions.ts'

/** `later`: worth another try, not before so many seconds where that was said. `over`: nothing more to do. */
export type HandedOver =
  | { readonly is: 'taken' }
  | { readonly is: 'later'; readonly after: number | undefined }
  | { readonly is: 'over'; readonly why: 'gone' | 'refused'; readonly status: number }

export async function handOver(
  { db, push, clock }: Pick<Deps, 'db' | 'push' | 'clock'>,
  device: DeviceRow,
  payload: PushPayload,
  topic: string,
): Promise<HandedOver> {
  const { ttl, urgency } = deliveryOf(payload.notification.data.setting_cd)
  const send = (limit: number) => push.send(device, { text: pushText(payload, limit), ttl, urgency, topic })
  let said = await send(MAX_PUSH)
  if (said.is === 'too_large') said = await send(SHORT_PUSH)
  switch (said.is) {
    case 'taken':
      await recordAccepted(db, device.id, clock())
      return { is: 'taken' }
    case 'gone':
      await removeDevice(db, device.id)
      return { is: 'over', why: 'gone', status: 410 }
    case 'later':
      return said
    case 'too_large':
    case 'refused': {
      const status = said.is === 'refused' ? said.status : 413
      if ((await recordRefused(db, device.id)) >= MAX_REFUSALS) await removeDevice(db, device.id)
      return { is: 'over', why: 'refused', status }
    }
    default:
      return said satisfies never
  }
}
