// Sentences about the state, progress and remaining time of a delivery.
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { identityRefusal } from '#src/domain/identity/text.ts'
import { mayResend, messageRefusal } from '#src/domain/messages/refusal-text.ts'
import { trayText } from '#src/features/publish/text.ts'
import { megabytes, remaining } from '#src/lib/format.ts'
import type { DeliveryMode } from '#src/sw-bridge.ts'
import type { DeliveryStatus } from '#src/domain/media/delivery-status.ts'
import type { DeliveryView } from './delivery.ts'
import type { FileState, UploadedFile } from './uploaded-file.ts'
import { errorText } from '#src/domain/api/errors-text.ts'

const words = trayText

/** The state in one line: `送信中 42%・残り約3分`. */
export function stateLineOf(delivery: DeliveryView): string {
  const { status, percent, secondsLeft } = delivery
  switch (status.is) {
    case 'sending':
      return words.sending(percent) + (secondsLeft === null ? '' : words.left(remaining(secondsLeft)))
    case 'waiting':
      return delivery.files.length > 0 ? words.waiting(percent) : words.waitingText
    case 'noRoom':
      return words.noRoom(percent)
    case 'foreign':
      return delivery.files.length > 0 ? words.foreign(percent) : words.foreignText
    case 'paused':
      return words.paused(percent)
    case 'away':
      return words.away(percent)
    case 'finishing':
      return delivery.kind === 'post' ? words.finishing : words[delivery.kind].finishing
    case 'failed':
      return words.failed
    case 'cancelling':
      return words.cancelling
    default:
      return status satisfies never
  }
}

/** Why a delivery failed or waits, and possible actions; undefined otherwise. */
export function reasonOf({ status, kind }: DeliveryView): string | undefined {
  if (status.is === 'away') return words.awayWhy
  if (status.is === 'noRoom') return words.noRoomWhy
  if (status.is === 'foreign') return words.foreignWhy
  if (status.is === 'failed' && kind === 'identity') return identityRefusal(status.code, status.fields)
  if (status.is === 'failed' && kind === 'message') return messageRefusal(status.code)
  return status.is === 'failed' ? postRefusal(status.code, status.fields) : undefined
}

/** Why a post was refused. */
export function postRefusal(code: FailureCode, fields: Readonly<Record<string, string>> = {}): string {
  if (code === 'gone') return words.refused.withdrawn
  if (code === 'post_deleted') return words.refused.deleted
  const isHeld = code === 'conflict' && Object.values(fields).includes('unknown_upload')
  return isHeld ? words.refused.held : errorText[code]
}

/** `12.34MB / 200.00MB・2.50MB/秒`. */
export function amountOf({ bytesUploaded, bytesTotal, speed }: DeliveryView): string {
  const amount = `${megabytes(bytesUploaded)} / ${megabytes(bytesTotal)}`
  return speed === null ? amount : `${amount}・${words.perSecond(megabytes(speed))}`
}

const fileStateText: Record<FileState, string> = words.states

/** `送信中・12.34MB / 200.00MB`. */
export function fileLineOf({ state, progress, size, isGhost, bytesAt }: UploadedFile): string {
  if (isGhost && bytesAt === 'device' && state !== 'errored') return `${words.copying}・${megabytes(size)}`
  const moving = state === 'started' || state === 'paused'
  const amount = moving ? `${megabytes(progress.bytesUploaded)} / ${megabytes(size)}` : megabytes(size)
  return `${fileStateText[state]}・${amount}`
}

/** Several deliveries in one line; one that needs the person has priority. */
export function summaryOf(deliveries: readonly DeliveryView[]): string {
  const failed = deliveries.find((it) => needsPerson(it))
  const [first] = deliveries
  if (!first) return ''
  if (failed) return stateLineOf(failed)
  if (deliveries.length === 1) return stateLineOf(first)
  const percent = percentOf(deliveries)
  const hasStatus = (...kinds: DeliveryStatus['is'][]) =>
    deliveries.some((it) => kinds.includes(it.status.is))
  if (hasStatus('sending', 'finishing')) return words.several(deliveries.length, percent)
  if (hasStatus('noRoom')) return words.noRoom(percent)
  if (hasStatus('foreign')) return words.foreign(percent)
  if (hasStatus('waiting')) return words.waiting(percent)
  return hasStatus('paused') ? words.paused(percent) : words.cancelling
}

/** Whether a delivery waits for an action of the person. */
export function needsPerson({ status }: DeliveryView): boolean {
  return status.is === 'failed' || status.is === 'away'
}

/** What happens if the app is closed now. */
export function continuationOf(deliveries: readonly DeliveryView[], mode: DeliveryMode): string {
  if (deliveries.some((it) => it.bytesAt === 'page')) return words.keepOpen
  const copying = deliveries.some((it) => it.status.is !== 'failed' && it.files.some((file) => file.isGhost))
  if (copying) return words.untilStored
  const all = (is: DeliveryStatus['is']) => deliveries.every(({ status }) => status.is === is)
  if (all('paused')) return words.resumeFirst
  return all('waiting') ? words.promiseWaiting[mode] : words.promise[mode]
}

export function percentOf(deliveries: readonly DeliveryView[]): number {
  const sum = deliveries.reduce((total, it) => total + it.percent, 0)
  return Math.floor(sum / Math.max(1, deliveries.length))
}

/** The title of the list of deliveries. */
export function titleOf(deliveries: readonly DeliveryView[]): string {
  const kinds = new Set(deliveries.map((it) => it.kind))
  if (kinds.has('message')) return kinds.size === 1 ? words.message.list : words.message.mixed
  return kinds.has('post') ? words.title : words.identity.list
}

/** Whether the server requires an approved identity check for this post. */
export function requiresIdentity({ kind, status }: DeliveryView): boolean {
  return kind === 'post' && status.is === 'failed' && status.code === 'identity_required'
}

/** Refusals that the same bytes would get again. */
const FINAL_REFUSALS: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'invalid',
  'unsupported_media',
  'too_large',
  'gone',
  'post_deleted',
])

/** Whether sending again after this refusal may succeed. */
export const isTemporary = (code: FailureCode): boolean => !FINAL_REFUSALS.has(code)

/** Whether a retry of a delivery may succeed. */
export function mayRetry({ kind, status }: DeliveryView): boolean {
  if (status.is !== 'failed') return false
  if (kind === 'message') return mayResend(status.code)
  // An existing check prevents another one.
  return isTemporary(status.code) && !(kind === 'identity' && status.code === 'conflict')
}

/** The line below the summary: why to open the list, else what happens if the app is closed. */
export function hintOf(
  deliveries: readonly DeliveryView[],
  mode: DeliveryMode | undefined,
): string | undefined {
  if (deliveries.some(mayRetry)) return words.openToRetry
  if (deliveries.some(({ status }) => status.is === 'failed')) return words.openToSee
  if (deliveries.some(({ status }) => status.is === 'noRoom')) return words.noRoomShort
  if (deliveries.some(({ status }) => status.is === 'foreign')) return words.foreignShort
  return mode && continuationOf(deliveries, mode)
}
