// Authenticates and reads a webhook: HMAC of time and body, and the event as JSON.
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type {
  NoticeProblem,
  NoticeReading,
  NoticeRequest,
  ProviderEvent,
} from '#server/adapters/payments/provider.ts'

/** `t=<seconds>,v1=<hex>`, with `v1` once for each key. */
export const SIGNATURE_HEADER = 'sandbox-signature'
/** How far the signed time may be from that of the arrival, ms. */
export const REPLAY_WINDOW = 5 * 60_000
/** Signatures of one header that are compared. */
const MOST_SIGNATURES = 4

const problem = (why: NoticeProblem): NoticeReading => ({ is: 'problem', why, chargeRef: '' })

/** @param secrets keys that are accepted */
export function readWebhook(request: NoticeRequest, secrets: readonly string[]): NoticeReading {
  if (request.method !== 'POST') return problem('method')
  const header = headerOf(request.headers[SIGNATURE_HEADER] ?? '')
  if (!header || !isSigned(header, request.body, secrets)) return problem('signature')
  if (Math.abs(request.receivedAt - Number(header.time) * 1000) > REPLAY_WINDOW) return problem('stale')
  const text = textOf(request.body)
  if (text === undefined) return problem('encoding')
  return readingOf(text) ?? problem('malformed')
}

interface SignatureHeader {
  /** Seconds since 1970, as it was signed. */
  readonly time: string
  readonly signatures: readonly Buffer[]
}

/** Reads a header strictly; undefined for one of another form. */
function headerOf(header: string): SignatureHeader | undefined {
  const [first = '', ...rest] = header.split(',')
  const time = /^t=(\d{1,12})$/.exec(first)?.[1]
  const found = rest.map((it) => /^v1=([\da-f]{64})$/.exec(it)?.[1])
  if (time === undefined || found.length === 0 || found.length > MOST_SIGNATURES) return undefined
  const signatures = found.flatMap((it) => (it === undefined ? [] : [Buffer.from(it, 'hex')]))
  return signatures.length === found.length ? { time, signatures } : undefined
}

/** Whether one of the signatures is of one of the keys. Each pair is compared, in a time that depends on no byte. */
function isSigned(
  { time, signatures }: SignatureHeader,
  body: Uint8Array,
  secrets: readonly string[],
): boolean {
  let isTrue = false
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
    for (const it of signatures) if (timingSafeEqual(it, expected)) isTrue = true
  }
  return isTrue
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

const word = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
const code = v.pipe(v.string(), v.regex(/^[\w-]{0,64}$/))
const uuid = v.pipe(v.string(), v.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/))
const yen = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999))

/** What the app gave to the page, which the provider passes through. */
const metadata = v.object({
  payment: uuid,
  session: word,
  auth: word,
  shop: word,
  order: v.optional(code, ''),
})
/** An object has further values, which are passed over. */
const paid = {
  id: word,
  charge: word,
  subscription: v.optional(word),
  amount: yen,
  metadata,
  /** The last month of the card. */
  card_expires: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/))),
}
const ofSubscription = {
  id: word,
  charge: v.optional(word),
  subscription: v.optional(word),
  amount: v.optional(yen),
  metadata: v.optional(metadata),
  payment: v.optional(uuid),
}
const ofCharge = { id: word, charge: word, amount: yen, payment: v.optional(uuid) }
const by = v.picklist(['provider', 'buyer'])

const webhook = v.variant('type', [
  v.object({ type: v.literal('charge.succeeded'), ...paid }),
  v.object({ type: v.literal('card.registered'), ...paid }),
  v.object({ type: v.literal('charge.failed'), ...paid }),
  v.object({ type: v.literal('charge.pending'), ...paid }),
  v.object({ type: v.literal('page.expired'), ...paid }),
  v.object({ type: v.literal('subscription.charge_failed'), ...ofSubscription }),
  v.object({ type: v.literal('subscription.stopped'), by, ...ofSubscription }),
  v.object({ type: v.literal('charge.refunded'), ...ofCharge }),
  v.object({ type: v.literal('charge.disputed'), ...ofCharge }),
])
type Webhook = v.InferOutput<typeof webhook>

const kinds = {
  'charge.succeeded': 'charged',
  'card.registered': 'registered',
  'charge.failed': 'refused',
  'charge.pending': 'pending',
  'page.expired': 'expired',
} as const

/** Undefined for what is no event. */
function readingOf(text: string): NoticeReading | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  const parsed = v.safeParse(webhook, json)
  const event = parsed.success ? toEvent(parsed.output) : undefined
  return parsed.success && event ? { is: 'event', event, noticeRef: parsed.output.id } : undefined
}

function toEvent(it: Webhook): ProviderEvent | undefined {
  switch (it.type) {
    case 'charge.succeeded':
    case 'card.registered':
    case 'charge.failed':
    case 'charge.pending':
    case 'page.expired': {
      const passed = passedOf(it.metadata, it.amount)
      const numbers = { chargeRef: it.charge, recurringRef: it.subscription ?? '' }
      const card = it.card_expires === undefined ? {} : { cardExpires: it.card_expires }
      return { is: kinds[it.type], ...numbers, passed, ...card }
    }
    case 'subscription.charge_failed':
      return ofSubscriptionEvent(it, { is: 'renewal_failed' })
    case 'subscription.stopped':
      return ofSubscriptionEvent(it, { is: 'stopped', by: it.by })
    case 'charge.refunded':
      return { is: 'refunded', chargeRef: it.charge, paymentId: it.payment ?? '', amount: it.amount }
    case 'charge.disputed':
      return { is: 'disputed', chargeRef: it.charge, paymentId: it.payment ?? '', amount: it.amount }
    default:
      return it satisfies never
  }
}

type OfSubscription = Extract<Webhook, { type: 'subscription.charge_failed' | 'subscription.stopped' }>
type Report =
  | { readonly is: 'renewal_failed' }
  | { readonly is: 'stopped'; readonly by: 'provider' | 'buyer' }

/** Undefined without anything that names the subscription. */
function ofSubscriptionEvent(it: OfSubscription, report: Report): ProviderEvent | undefined {
  const numbers = { chargeRef: it.charge ?? '', recurringRef: it.subscription ?? '' }
  if (it.metadata && it.amount !== undefined)
    return { ...report, ...numbers, passed: passedOf(it.metadata, it.amount) }
  const paymentId = it.payment ?? ''
  return paymentId === '' && numbers.recurringRef === '' ? undefined : { ...report, ...numbers, paymentId }
}

const passedOf = (it: v.InferOutput<typeof metadata>, amount: number) => ({
  paymentId: it.payment,
  sessionId: it.session,
  authId: it.auth,
  storeId: it.shop,
  orderCode: it.order,
  amount,
})
