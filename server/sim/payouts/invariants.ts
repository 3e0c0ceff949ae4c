// The invariants of payouts, checked against what the bank truly did.
import type { Violation } from '#server/sim/invariants.ts'
import type { PayoutObserved, StoredPayout } from './observed.ts'
import { type PayoutStory, transferOf } from './story.ts'

const underWay = new Set(['requested', 'held', 'approved', 'exported'])
const isOver = ({ state }: StoredPayout) => state === 'returned' || state === 'cancelled'

function checkTransfers(story: PayoutStory, { payouts }: PayoutObserved): Violation[] {
  const counts = new Map<number, number>()
  for (const { payoutNumber } of story.delivered.flatMap((it) => it.transfers))
    counts.set(payoutNumber, (counts.get(payoutNumber) ?? 0) + 1)
  const twice = [...counts].flatMap(([number, count]): Violation[] =>
    count > 1 ? [{ of: 'twice', says: `payout ${number} was transferred ${count} times` }] : [],
  )
  const wrong = story.delivered
    .flatMap((it) => it.transfers)
    .flatMap(({ payoutNumber, amount }): Violation[] => {
      const payout = payouts.find((it) => it.number === payoutNumber)
      const must = payout && payout.amount - payout.fee
      return must === amount
        ? []
        : [{ of: 'transfer', says: `payout ${payoutNumber} of ${must} yen was transferred with ${amount}` }]
    })
  return [...twice, ...wrong]
}

/** A payout has the state that the bank's results have made. */
function checkResults(story: PayoutStory, { payouts, files }: PayoutObserved): Violation[] {
  const live = new Set(files.filter((it) => !it.voided).map((it) => it.id))
  return payouts.flatMap((it): Violation[] => {
    const transfer = transferOf(story, it.number)
    const says = (what: string): Violation[] => [
      { of: 'result', says: `payout ${it.number} is ${it.state}, but ${what}` },
    ]
    if (it.state === 'paid' && transfer?.outcome !== '0') return says('the bank has not paid it')
    if (it.state === 'returned' && !transfer) return says('the bank never had it')
    if (it.state === 'returned' && transfer?.outcome === '0' && !transfer.cameBack)
      return says('the bank has paid it')
    const isInFile = it.state === 'exported' || it.state === 'paid'
    if (isInFile && (it.export_id === null || !live.has(it.export_id))) return says('it is in no live file')
    if (transfer && underWay.has(it.state) && it.state !== 'exported') return says('the bank has it')
    return []
  })
}

function checkMonths({ payouts }: PayoutObserved): Violation[] {
  const counts = new Map<string, number>()
  for (const it of payouts) if (!isOver(it)) counts.set(it.month, (counts.get(it.month) ?? 0) + 1)
  return [...counts].flatMap(([month, count]): Violation[] =>
    count > 1 ? [{ of: 'month', says: `${count} payouts of ${month}` }] : [],
  )
}

/** What has left the creator's balance for payouts, yen. */
function takenOf(payouts: readonly StoredPayout[]): number {
  return payouts.reduce((sum, it) => {
    if (it.state === 'cancelled') return sum
    // The fee of a transfer that was sent is gone.
    if (it.state === 'returned') return sum + (it.was_paid ? it.fee : 0)
    return sum + it.amount
  }, 0)
}

/** The creator's balance as it must be, yen. */
export const balanceOf = ({ shares, payouts }: PayoutObserved): number => shares.all - takenOf(payouts)

function checkLedger(observed: PayoutObserved): Violation[] {
  const { payouts, ledger } = observed
  const sum = (of: (it: StoredPayout) => number) => payouts.reduce((total, it) => total + of(it), 0)
  const isUnderWay = (it: StoredPayout) => underWay.has(it.state)
  const must: Readonly<Record<string, number>> = {
    creator_payable: -balanceOf(observed),
    payouts: -sum((it) => (isUnderWay(it) ? it.amount - it.fee : 0)),
    payout_fee: -sum((it) => (isUnderWay(it) ? it.fee : 0)),
    bank: -sum((it) => (it.state === 'paid' ? it.amount : it.was_paid ? it.fee : 0)),
  }
  const wrong = Object.entries(must).flatMap(([account, yen]) => {
    const is = ledger[account] ?? 0
    return is === yen || (is === 0 && yen === 0) ? [] : [`${account} is ${is}, not ${yen}`]
  })
  const total = Object.values(ledger).reduce((all, it) => all + it, 0)
  if (total !== 0) wrong.push(`the entries of the creator add up to ${total}`)
  return wrong.map((says) => ({ of: 'ledger', says }))
}

/** A record is what an admin typed for that file, and the account of the bank has the transfers and the last record. */
function checkFees({ typedFees }: PayoutStory, { payouts, files }: PayoutObserved): Violation[] {
  return files.flatMap(({ id, settled, fees, bank }): Violation[] => {
    const says = (what: string): Violation[] => [{ of: 'fee', says: `file ${id} ${what}` }]
    const last = fees.at(-1)
    if (!last) return []
    if (!settled) return says('has a fee before all results')
    for (const it of fees) {
      const typed = typedFees.get(it.id)
      if (typed?.fileId !== id || typed.fee !== it.fee)
        return says(`has a fee of ${it.fee} that nobody typed`)
    }
    const sent = payouts.filter((it) => it.export_id === id && it.state === 'paid')
    const must = -sent.reduce((sum, it) => sum + it.amount - it.fee, 0) - last.fee
    return bank === must ? [] : says(`has ${bank} in the account of the bank, not ${must}`)
  })
}

/** A new payout was covered by the balance before it. */
function checkCovered(before: PayoutObserved, { payouts }: PayoutObserved): Violation[] {
  const known = new Set(before.payouts.map((it) => it.id))
  const balance = balanceOf(before)
  return payouts
    .filter((it) => !known.has(it.id))
    .flatMap(({ number, amount }): Violation[] =>
      amount <= balance
        ? []
        : [{ of: 'covered', says: `payout ${number} takes ${amount} of a balance of ${balance}` }],
    )
}

/** The invariants that hold after every step. */
export const checkPayouts = (story: PayoutStory, observed: PayoutObserved): Violation[] => [
  ...checkTransfers(story, observed),
  ...checkResults(story, observed),
  ...checkMonths(observed),
  ...checkLedger(observed),
  ...checkFees(story, observed),
  ...checkCovered(story.observed, observed),
]

/** At the end, after all results, every payout is over. */
export const checkPayoutEnd = ({ payouts }: PayoutObserved): Violation[] =>
  payouts
    .filter((it) => underWay.has(it.state))
    .map((it) => ({ of: 'settled', says: `payout ${it.number} is still ${it.state}` }))

/** At the end, a creator who left has been paid, or the operator has a task about exactly what is owed. */
export function checkLeft({ hasLeft, account, observed }: PayoutStory): Violation[] {
  const [balance, { task }] = [balanceOf(observed), observed]
  const says = (what: string): Violation[] => [{ of: 'left', says: what }]
  if (!hasLeft) return []
  if (balance === 0) return task ? says('a balance of zero has a task') : []
  if (!task) return says(`${balance} yen of a creator who left are in no place`)
  if (task.amount !== balance) return says(`the task is about ${task.amount} of ${balance} yen`)
  // One that was paid and came back later finds an account that nothing was owed to any more.
  const cameBack = observed.payouts.some((it) => it.state === 'returned' && it.was_paid)
  const isEarly = task.why === 'no_account' && account !== '' && !cameBack
  return isEarly ? says('the bank account was removed too early') : []
}

/**
 * At the end, more than six months after the last sale, what is left of a creator who is present has no way out, and is one task of exactly
 * that amount; with a way out it was taken by a payout.
 */
export function checkOld({ account, observed }: PayoutStory): Violation[] {
  const { oldTask, payouts } = observed
  const balance = balanceOf(observed)
  const says = (what: string): Violation[] => [{ of: 'old', says: what }]
  if (balance <= 0) return oldTask ? says(`a balance of ${balance} has a task`) : []
  if (!oldTask) return says(`${balance} yen are older than six months, without a payout and a task`)
  if (oldTask.amount !== balance) return says(`the task is about ${oldTask.amount} of ${balance} yen`)
  if ((oldTask.why === 'no_account') !== (account === ''))
    return says(`the task says ${oldTask.why}, with the account ${account}`)
  const last = payouts.at(-1)
  return account === '' || last?.state === 'returned' ? [] : says('the balance has a way out')
}
