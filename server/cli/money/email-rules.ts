// Amounts in emails that wait, compared with the ledger.
import type { Difference, Query } from './difference.ts'

/** An email that waits: its id, and its content as it is stored, without its recipient. */
interface Queued {
  readonly id: string
  readonly email: Readonly<Record<string, unknown>>
}

/** The cause of the entry whose price is the amount of an email about a payment. */
const causeOf: Readonly<Record<string, string>> = {
  purchase: 'sale',
  membership_joined: 'sale',
  membership_renewed: 'sale',
  surplus: 'surplus',
  refund: 'refund',
  sale_refunded: 'refund',
  sale_disputed: 'dispute',
  dispute_won: 'dispute_won',
  dispute_lost: 'dispute',
  dispute_covered: 'dispute',
}

const payoutKinds: ReadonlySet<unknown> = new Set([
  'payout_paid',
  'payout_returned',
  'payout_held',
  'payout_cancelled',
])

/** An amount as an email says it, and where it has to be. */
interface Said {
  readonly id: string
  readonly kind: string
  /** The row that it is about: a payment with the cause of its entry, the number of a payout, or a statement. */
  readonly of: string
  readonly says: string
}

const isUuid = (text: unknown): text is string => typeof text === 'string' && /^[\da-f-]{36}$/i.test(text)

/** What an email says; undefined for one without an amount that is booked. */
function saidBy({ id, email }: Queued): Said[] {
  const { is, amount, paymentId, number, fee, net, balance, url } = email
  const kind = String(is)
  const cause = causeOf[kind]
  if (cause && isUuid(paymentId)) return [{ id, kind, of: `${paymentId}/${cause}`, says: String(amount) }]
  if (payoutKinds.has(is)) return [{ id, kind, of: String(number), says: `${String(amount)} ${String(fee)}` }]
  if (is !== 'statement') return []
  const of = new URL(String(url)).searchParams.get('id')
  return isUuid(of) ? [{ id, kind, of, says: `${String(net)} ${String(balance)}` }] : []
}

/** What emails may say: amounts of entries of payments, of payouts, and of statements. */
const sayable = (payments: readonly string[]): string => `
  select c.payment_id || '/' || e.cause as of, abs(sum(l.amount))::text as says
  from charges c join ledger_entries e on e.charge_id = c.id
  join ledger_lines l on l.entry_id = e.id and l.account in ('provider_receivable', 'refunds')
  where c.payment_id in (${payments.map((it) => `'${it}'`).join(', ')})
    and (e.cause not in ('sale', 'surplus', 'dispute', 'dispute_won') or l.account = 'provider_receivable')
  group by e.id, c.payment_id
  union all select number::text, amount || ' ' || fee from payouts
  union all select id::text, net || ' ' || closing from statements`

/**
 * @param open reads a sealed email; throws for one whose key is not there, which no server can send either
 */
export async function emailDifferences(
  query: Query,
  open: (sealed: string) => string,
): Promise<Difference[]> {
  const said = (await query('select id, sealed from letters order by id'))
    .flatMap(({ id, sealed }) => read(String(id), String(sealed), open))
    .flatMap(saidBy)
  if (said.length === 0) return []
  const none = '00000000-0000-0000-0000-000000000000'
  const payments = said.map(({ of }) => of.split('/')).flatMap(([id = none, cause]) => (cause ? [id] : []))
  const may = new Map<string, string[]>()
  for (const { of, says } of await query(sayable([none, ...new Set(payments)])))
    may.set(String(of), [...(may.get(String(of)) ?? []), String(says)])
  return said.flatMap(({ id, kind, of, says }) => {
    const amounts = may.get(of) ?? []
    if (amounts.includes(says)) return []
    return [{ kind: `email.${kind}`, id, expected: amounts.join(', ') || '-', found: says }]
  })
}

function read(id: string, sealed: string, open: (sealed: string) => string): Queued[] {
  try {
    return [{ id, email: (JSON.parse(open(sealed)) as { readonly letter: Queued['email'] }).letter }]
  } catch {
    return []
  }
}
