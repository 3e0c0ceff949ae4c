// The invariants of money, checked against what the provider truly charged.
import { balanceOfCharge } from './charge-balance.ts'
import type { Observed, StoredCharge, StoredPayment } from './observed.ts'
import type { Story } from './story.ts'

/** The invariants by their keys, which are also the first words of a violation. */
export type Invariant =
  | 'ledger'
  | 'access'
  | 'double'
  | 'refunded'
  | 'sold'
  | 'state'
  | 'price'
  | 'true'
  | 'stored'
  | 'settled'
  | 'period'
  | 'paid'
  | 'opened'
  | 'one'
  | 'reason'
  | 'joined'
  | 'card'
  | 'recurring'
  | 'twice'
  | 'transfer'
  | 'result'
  | 'covered'
  | 'month'
  | 'fee'
  | 'left'
  | 'old'
  | 'checked'
  | 'kept'
  | 'removed'
  | 'ended'
  | 'second'

export interface Violation {
  readonly of: Invariant
  readonly says: string
}

/** What the platform and the creator get, computed independently of the product: 10 % with its tax, rounded down. */
function shares(amount: number): { fee: number; tax: number; creator: number } {
  const whole = (amount - (amount % 10)) / 10
  const tax = (whole - (whole % 11)) / 11
  return { fee: whole - tax, tax, creator: amount - whole }
}

export const creatorShare = (amount: number): number => shares(amount).creator

type Sums = Readonly<Record<string, number>>

/** Sums of all entries of a charge, by account, as they must be. */
function expectedSums(charge: StoredCharge): Sums {
  const { refunded, returned, taken, covered, left } = balanceOfCharge(charge)
  const { amount, is_surplus: isSurplus, entries } = charge
  if (isSurplus) {
    const paid = (entries ?? []).some((it) => it.cause === 'refund_paid') ? amount : 0
    return { provider_receivable: amount - paid, refunds: paid - amount }
  }
  const { fee, tax, creator } = shares(left)
  const disputeFees = (entries ?? [])
    .filter((it) => it.cause === 'dispute_fee')
    .flatMap((it) => it.lines)
    .reduce((sum, it) => sum + Math.max(0, it.amount), 0)
  return {
    provider_receivable: amount - returned - taken - disputeFees,
    provider_fee: disputeFees,
    refunds: returned - refunded,
    chargeback_loss: covered,
    creator_payable: -creator - covered,
    platform_fee: -fee,
    fee_tax: -tax,
  }
}

const textOf = (sums: Sums): string =>
  Object.entries(sums)
    .filter(([, sum]) => sum !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([account, sum]) => `${account} ${sum}`)
    .join(', ')

export const causesOf = (charge: StoredCharge) => new Set((charge.entries ?? []).map((it) => it.cause))
/** Whether nothing is left of a charge: it is refunded, or the card company has it. */
export const isRefunded = (charge: StoredCharge) => !charge.is_surplus && balanceOfCharge(charge).left === 0

/** The entries by which each charge begins, and those that may follow. */
function wrongCauses({ entries, is_surplus: isSurplus }: StoredCharge): boolean {
  const counts = new Map<string, number>()
  for (const { cause } of entries ?? []) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  const [sales, surplus] = [counts.get('sale') ?? 0, counts.get('surplus') ?? 0]
  if (isSurplus) return surplus !== 1 || counts.size - (counts.has('refund_paid') ? 1 : 0) !== 1
  return sales !== 1 || surplus !== 0
}

export function checkLedger({ charges }: Pick<Observed, 'charges'>): Violation[] {
  return charges.flatMap((charge): Violation[] => {
    const sums: Record<string, number> = {}
    for (const { account, amount } of (charge.entries ?? []).flatMap((it) => it.lines))
      sums[account] = (sums[account] ?? 0) + amount
    const [is, must] = [textOf(sums), textOf(expectedSums(charge))]
    const wrong = is === must ? [] : [`a charge of ${charge.amount} has ${is}, not ${must}`]
    if (charge.is_surplus !== (charge.surplus_reason !== null))
      wrong.push(
        `a charge that is ${charge.is_surplus ? '' : 'not '}surplus has the reason ${charge.surplus_reason}`,
      )
    if (wrongCauses(charge)) wrong.push(`a charge has the entries "${[...causesOf(charge)].join(' ')}"`)
    const { refunded, returned, left } = balanceOfCharge(charge)
    if (!charge.is_surplus && (left < 0 || returned > refunded))
      wrong.push(`of ${charge.amount} yen ${refunded} are refunded, ${returned} returned, ${left} left`)
    return wrong.map((says) => ({ of: 'ledger', says }))
  })
}

/** One charge with its payment. */
interface Taken {
  readonly charge: StoredCharge
  readonly payment: StoredPayment
}

function takenOf({ charges, payments }: Observed): Taken[] {
  const byId = new Map(payments.map((it) => [it.id, it]))
  return charges.flatMap((charge) => {
    const payment = byId.get(charge.payment_id)
    return payment ? [{ charge, payment }] : []
  })
}

const keyOf = ({ user_id, post_id }: { user_id: string; post_id: string | null }) => `${user_id} ${post_id}`

/** Whether what was bought can be read, or need not: its buyer is gone, staff removed it, or it is open to all. */
function isKept({ cast }: Story, { gone, open }: Observed, key: string): boolean {
  const [fanId = '', postId] = key.split(' ')
  const offer = cast.offers.find((it) => it.id === postId)
  return gone.includes(fanId) || !offer || offer.removedAt !== null || offer.price === null || open.has(key)
}

function checkSales(story: Story, observed: Observed): Violation[] {
  const violations: Violation[] = []
  const add = (of: Invariant, says: string) => void violations.push({ of, says })
  const sales = takenOf(observed).filter((it) => !it.charge.is_surplus)
  const running = sales.filter((it) => !isRefunded(it.charge))
  const counts = new Map<string, number>()
  for (const { payment } of running) counts.set(keyOf(payment), (counts.get(keyOf(payment)) ?? 0) + 1)
  for (const [key, count] of counts) if (count > 1) add('double', `${count} sales of ${key}`)
  for (const key of observed.open)
    if (!counts.has(key)) {
      const isRevoked = sales.some((it) => keyOf(it.payment) === key)
      add(isRevoked ? 'refunded' : 'access', `${key} is open without a charge`)
    }
  const bought = new Set(observed.purchases.filter((it) => !it.revoked).map(keyOf))
  for (const key of counts.keys()) if (!bought.has(key)) add('sold', `${key} was sold, but is not bought`)
  for (const key of bought) if (!counts.has(key)) add('access', `${key} is bought without a charge`)
  for (const key of counts.keys())
    if (!isKept(story, observed, key)) add('kept', `${key} is bought and closed`)
  for (const { id, isDeleted } of story.cast.offers)
    if (isDeleted && running.some((it) => it.payment.post_id === id)) add('sold', `${id} is sold and deleted`)
  return violations
}

function checkPayments({ agreed }: Story, { payments, charges }: Observed): Violation[] {
  return payments.flatMap(({ id, state, amount, charge_gid: gid }): Violation[] => {
    const says: Violation[] = []
    const price = agreed.get(id)?.price
    if (price !== amount) says.push({ of: 'price', says: `a payment of ${amount} for a price of ${price}` })
    const sale = charges.find((it) => it.payment_id === id && !it.is_surplus)
    const must = sale ? (isRefunded(sale) ? 'refunded' : 'paid') : 'open'
    const isTaken = sale !== undefined && balanceOfCharge(sale).taken > 0
    // While the card company examines a charge that it has taken, the payment is disputed.
    const stored = state === 'disputed' && isTaken ? 'refunded' : state
    const is = stored === 'paid' || stored === 'refunded' ? stored : 'open'
    if (is !== must || gid !== (sale?.gid ?? null))
      says.push({ of: 'state', says: `a payment is ${state} of ${gid}, its sale ${sale?.gid} is ${must}` })
    return says
  })
}

/** Yen of a charge that the ledger says the provider has returned. */
const bookedOf = (charge: StoredCharge): number =>
  charge.is_surplus
    ? causesOf(charge).has('refund_paid')
      ? charge.amount
      : 0
    : balanceOfCharge(charge).returned

function checkTruth({ charges: truth }: Story, { charges }: Observed): Violation[] {
  const known = new Map(truth.map((it) => [it.gid, it]))
  const numbers = charges.map((it) => it.gid)
  const doubled = numbers.filter((it, i) => numbers.indexOf(it) !== i)
  return [
    ...doubled.map((it): Violation => ({ of: 'true', says: `${it} is recorded twice` })),
    ...charges.flatMap((stored): Violation[] => {
      const { gid, amount } = stored
      const charge = known.get(gid)
      const isTrue = charge?.amount === amount && charge.paymentId === stored.payment_id
      const owed = stored.is_surplus ? amount : balanceOfCharge(stored).refunded
      const returned = charge?.returned ?? 0
      const booked = bookedOf(stored)
      return [
        ...(isTrue ? [] : [{ of: 'true', says: `${gid} of ${amount} yen was never charged so` } as const]),
        ...(booked > returned
          ? [
              {
                of: 'settled',
                says: `${booked} yen of ${gid} are booked as returned, not ${returned}`,
              } as const,
            ]
          : []),
        ...(returned > owed
          ? [
              {
                of: 'settled',
                says: `${returned} yen of ${gid} were returned, but only ${owed} owed`,
              } as const,
            ]
          : []),
      ]
    }),
  ]
}

/** Checks the charges that were recorded by this step: exactly one of them sells a post that can be sold. */
function checkNewCharges(story: Story, before: Observed, observed: Observed): Violation[] {
  const { cast, recorded } = story
  const changed = new Set(story.charges.filter((it) => it.isTampered).map((it) => it.gid))
  const fresh = takenOf(observed).filter((it) => !recorded.has(it.charge.gid) && !changed.has(it.charge.gid))
  for (const { charge } of fresh) recorded.add(charge.gid)
  const paidBefore = new Set(before.payments.filter((it) => it.charge_gid !== null).map((it) => it.id))
  const boughtBefore = new Set(before.purchases.filter((it) => !it.revoked).map(keyOf))
  return [...new Set(fresh.map((it) => keyOf(it.payment)))].flatMap((key): Violation[] => {
    const [fanId = '', postId] = key.split(' ')
    const fan = cast.fans.find((it) => it.member.id === fanId)
    const offer = cast.offers.find((it) => it.id === postId)
    const isVisible = !story.isCreatorLeaving && fan?.blocks === false && !fan.isBlocked
    const isPriced = offer?.isDeleted === false && offer.removedAt === null && offer.price !== null
    const own = fresh.filter((it) => keyOf(it.payment) === key)
    const opens = own.some((it) => !paidBefore.has(it.payment.id))
    const isThere = !before.gone.includes(fanId)
    const must = isVisible && isPriced && opens && isThere && !boughtBefore.has(key) ? 1 : 0
    const is = own.filter((it) => !it.charge.is_surplus).length
    return is === must
      ? []
      : [{ of: 'sold', says: `${own.length} charges sold ${key} ${is} times, not ${must}` }]
  })
}

/** The invariants that hold after every step. */
export const checkStep = (story: Story, before: Observed, observed: Observed): Violation[] => [
  ...checkLedger(observed),
  ...checkSales(story, observed),
  ...checkPayments(story, observed),
  ...checkTruth(story, observed),
  ...checkNewCharges(story, before, observed),
]
