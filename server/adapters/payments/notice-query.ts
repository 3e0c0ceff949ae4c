// Reads the query of a provider's notice strictly.
import type {
  BareNotice,
  NoticeProblem,
  NoticeReading,
  NoticeRequest,
  PassedThrough,
  ProviderEvent,
} from './provider.ts'

const GID = /^[\w-]{1,64}$/
const RESULT = /^[1-4]$/
const YEN = /^(?:0|[1-9]\d{0,8})$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const WORD = /^[\w-]{1,64}$/
const CODE = /^[\w-]{0,64}$/

/** The required fields of a payment, and the form of each. */
const required: readonly (readonly [name: string, form: RegExp])[] = [
  ['gid', GID],
  ['rst', RESULT],
  ['am', YEN],
  ['tx', YEN],
  ['sf', YEN],
  ['ta', YEN],
  ['payment_id', UUID],
  ['session_id', WORD],
  ['auth_id', WORD],
]
/** Fields that may be missing. */
const optional: readonly (readonly [name: string, form: RegExp])[] = [
  ['aid', WORD],
  ['cod', CODE],
  ['acid', CODE],
]
/**
 * The fields of a notice about a recurring charge that has none of the form but `cod`. One of `cod` and `acid` says which
 * recurring charge it is.
 */
const ofStop: readonly (readonly [name: string, form: RegExp])[] = [
  ['gid', GID],
  ['cod', UUID],
  ['acid', WORD],
]

/** Reads a notice of the link form, which comes by GET. */
export const readLinkNotice = ({ method, query }: NoticeRequest): NoticeReading =>
  method === 'GET' ? readNoticeQuery(query) : { is: 'problem', why: 'method', chargeRef: '' }

/**
 * Reads a notice. A field that appears twice, an invalid percent-encoding and a value of another form are refused; fields
 * of other names are passed over.
 * @param query without `?`
 */
export function readNoticeQuery(query: string): NoticeReading {
  const fields = fieldsOf(query)
  if (typeof fields === 'string') return { is: 'problem', why: fields, chargeRef: '' }
  if (isStop(fields)) return { is: 'event', event: bareOf(fields) }
  const why = problemOf(fields)
  if (why === undefined) return { is: 'event', event: eventOf(fields) }
  const number = fields.get('gid') ?? ''
  return { is: 'problem', why, chargeRef: GID.test(number) ? number : '' }
}

function fieldsOf(query: string): ReadonlyMap<string, string> | 'encoding' | 'repeated' {
  const fields = new Map<string, string>()
  for (const pair of query.split('&').filter((it) => it !== '')) {
    const equals = pair.indexOf('=')
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const decoded = [percentDecoded(name), percentDecoded(value)] as const
    if (decoded[0] === undefined || decoded[1] === undefined) return 'encoding'
    if (fields.has(decoded[0])) return 'repeated'
    fields.set(decoded[0], decoded[1])
  }
  return fields
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function problemOf(fields: ReadonlyMap<string, string>): NoticeProblem | undefined {
  if (required.some(([name]) => (fields.get(name) ?? '') === '')) return 'missing'
  const isMalformed = [...required, ...optional].some(([name, form]) => {
    const value = fields.get(name)
    return value !== undefined && !form.test(value)
  })
  if (isMalformed) return 'malformed'
  const yen = (name: string) => Number(fields.get(name))
  return yen('am') + yen('tx') + yen('sf') === yen('ta') ? undefined : 'sum'
}

function isStop(fields: ReadonlyMap<string, string>): boolean {
  const value = (name: string) => fields.get(name) ?? ''
  if (fields.has('payment_id') || !/^[234]$/.test(value('rst'))) return false
  const isReadable = ofStop.every(([name, form]) => value(name) === '' || form.test(value(name)))
  return isReadable && (value('cod') !== '' || value('acid') !== '')
}

/** Of a recurring charge, `rst` 3 is a failure that is tried again; 2 is a stop by the provider, 4 by the buyer. */
function reportOf(rst: string | undefined) {
  if (rst === '3') return { is: 'renewal_failed' } as const
  return { is: 'stopped', by: rst === '4' ? 'buyer' : 'provider' } as const
}

function bareOf(fields: ReadonlyMap<string, string>): BareNotice {
  const text = (name: string) => fields.get(name) ?? ''
  const numbers = { chargeRef: text('gid'), recurringRef: text('acid') }
  return { ...reportOf(fields.get('rst')), ...numbers, paymentId: text('cod') }
}

/** `rst` 1 is a charge, or of no yen a registration. Every other result without a recurring charge is a refused card. */
function eventOf(fields: ReadonlyMap<string, string>): ProviderEvent {
  const text = (name: string) => fields.get(name) ?? ''
  const [chargeRef, recurringRef, passed] = [text('gid'), text('acid'), passedOf(fields)]
  // A form that takes no money has begun a recurring charge.
  const is = passed.amount === 0 && recurringRef !== '' ? 'registered' : 'charged'
  if (text('rst') === '1') return { is, chargeRef, recurringRef, passed }
  return recurringRef === ''
    ? { is: 'refused', chargeRef, recurringRef, passed }
    : { ...reportOf(fields.get('rst')), chargeRef, recurringRef, passed }
}

function passedOf(fields: ReadonlyMap<string, string>): PassedThrough {
  const text = (name: string) => fields.get(name) ?? ''
  return {
    paymentId: text('payment_id'),
    sessionId: text('session_id'),
    authId: text('auth_id'),
    storeId: fields.get('aid') ?? null,
    orderCode: text('cod'),
    amount: Number(text('ta')),
  }
}
