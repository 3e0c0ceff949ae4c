// States of a payout, and where its yen are at every step of seeded histories.
import { describe, expect, test } from 'vitest'
import { payoutStates, type PayoutState } from '#contract/payouts/payouts.ts'
import { isBalanced, type LedgerLine, refundLines, saleLines } from '#server/rules/money/ledger.ts'
import {
  cancelLines,
  paidLines,
  type PayoutEvent,
  payoutStep,
  requestLines,
  returnLines,
  withheldLines,
} from './payout.ts'

const events = ['hold', 'release', 'tax', 'approve', 'cancel', 'export', 'void', 'pay', 'return'] as const
const event = (is: (typeof events)[number]): PayoutEvent =>
  is === 'return' ? { is, keepsFee: false } : is === 'tax' ? { is, withheld: 0 } : { is }

test('each event is possible in these states alone', () => {
  const table = Object.fromEntries(
    events.map((is) => [
      is,
      payoutStates.flatMap((state) => {
        const after = payoutStep(state, event(is))
        return after === undefined ? [] : [`${state} → ${after}`]
      }),
    ]),
  )
  expect(table).toEqual({
    hold: ['requested → held', 'approved → held'],
    release: ['held → requested'],
    tax: ['held → requested'],
    approve: ['requested → approved', 'approved → approved'],
    cancel: ['requested → cancelled', 'held → cancelled', 'approved → cancelled'],
    export: ['approved → exported'],
    void: ['exported → approved'],
    pay: ['exported → paid'],
    return: ['exported → returned', 'paid → returned'],
  })
})

const sum = { creatorId: 'c', amount: 10_000, fee: 250, withheld: 0 }
const totals = (entries: readonly (readonly LedgerLine[])[]): Record<string, number> => {
  const all: Record<string, number> = {}
  for (const { account, amount } of entries.flat()) all[account] = (all[account] ?? 0) + amount
  return Object.fromEntries(Object.entries(all).filter(([, it]) => it !== 0))
}

describe('the ledger of a payout', () => {
  test('that is paid has its amount at the bank, and nothing in transit', () => {
    expect(totals([requestLines(sum)])).toEqual({ creator_payable: 10_000, payouts: -9750, payout_fee: -250 })
    expect(totals([requestLines(sum), paidLines(sum)])).toEqual({ creator_payable: 10_000, bank: -10_000 })
  })

  test.each<[name: string, entriesOf: () => LedgerLine[][], left: Record<string, number>]>([
    ['cancelled', () => [requestLines(sum), cancelLines(sum)], {}],
    ['not sent', () => [requestLines(sum), returnLines(sum, 'exported', false)], {}],
    [
      'not sent, but charged',
      () => [requestLines(sum), returnLines(sum, 'exported', true)],
      { creator_payable: 250, bank: -250 },
    ],
    [
      'sent back',
      () => [requestLines(sum), paidLines(sum), returnLines(sum, 'paid', false)],
      { creator_payable: 250, bank: -250 },
    ],
  ])('that is %s leaves no more than the fee', (_, entriesOf, left) => {
    const entries = entriesOf()
    expect(totals(entries)).toEqual(left)
    for (const it of entries) expect(isBalanced(it)).toBe(true)
  })

  test.each<[name: string, linesOf: () => LedgerLine[], lines: string[]]>([
    [
      'a request',
      () => requestLines(sum),
      ['creator_payable of c 10000', 'payouts of c -9750', 'payout_fee -250'],
    ],
    [
      'a cancelled request',
      () => cancelLines(sum),
      ['creator_payable of c -10000', 'payouts of c 9750', 'payout_fee 250'],
    ],
    ['a payment', () => paidLines(sum), ['payouts of c 9750', 'payout_fee 250', 'bank -10000']],
    [
      'a transfer that was not sent',
      () => returnLines(sum, 'exported', false),
      ['creator_payable of c -10000', 'payouts of c 9750', 'payout_fee 250'],
    ],
    [
      'a transfer that was not sent, but charged',
      () => returnLines(sum, 'exported', true),
      ['payouts of c 9750', 'creator_payable of c -9750', 'payout_fee 250', 'bank -250'],
    ],
    [
      'a transfer that was sent back',
      () => returnLines(sum, 'paid', true),
      ['bank 9750', 'creator_payable of c -9750'],
    ],
  ])('%s has these lines, and those of the creator name them', (_, linesOf, lines) => {
    expect(
      linesOf().map((it) => `${it.account}${it.creatorId ? ` of ${it.creatorId}` : ''} ${it.amount}`),
    ).toEqual(lines)
  })

  const taxed = { ...sum, withheld: 2000 }
  const before = () => [requestLines(taxed), withheldLines(taxed)]
  test.each<[name: string, entriesOf: () => LedgerLine[][], left: Record<string, number>]>([
    ['under way', before, { creator_payable: 10_000, payouts: -7750, payout_fee: -250, withheld_tax: -2000 }],
    [
      'paid',
      () => [...before(), paidLines(taxed)],
      { creator_payable: 10_000, withheld_tax: -2000, bank: -8000 },
    ],
    ['cancelled', () => [...before(), cancelLines(taxed)], {}],
    ['not sent', () => [...before(), returnLines(taxed, 'exported', false)], {}],
    [
      'not sent, but charged',
      () => [...before(), returnLines(taxed, 'exported', true)],
      { creator_payable: 250, bank: -250 },
    ],
    [
      'sent back',
      () => [...before(), paidLines(taxed), returnLines(taxed, 'paid', false)],
      { creator_payable: 250, bank: -250 },
    ],
  ])('of which tax is withheld and that is %s owes the tax only for what was sent', (_, entriesOf, left) => {
    const entries = entriesOf()
    expect(totals(entries)).toEqual(left)
    for (const it of entries) expect(isBalanced(it)).toBe(true)
  })

  test('without a fee has no line of zero yen', () => {
    const free = { ...sum, fee: 0 }
    for (const lines of [requestLines(free), paidLines(free), returnLines(free, 'exported', true)])
      expect(lines.every((it) => it.amount !== 0)).toBe(true)
  })
})

/** A seeded generator of whole numbers below a limit (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface Year {
  readonly ledger: Record<string, number>
  /** What buyers have paid and got back, what creators have received, and what the bank has charged. */
  readonly outside: { paid: number; returned: number; received: number; charged: number }
  /** Files with the open payout that the bank may execute. */
  readonly files: number
  readonly state: PayoutState | undefined
}

/** A year of sales, refunds and payouts of one creator, in which every step may be the last. */
function year(seed: number, check: (year: Year) => void): void {
  const below = seeded(seed)
  const ledger: Record<string, number> = {}
  const outside = { paid: 0, returned: 0, received: 0, charged: 0 }
  const book = (lines: readonly LedgerLine[]) => {
    if (!isBalanced(lines)) throw new Error('an entry is not balanced')
    for (const { account, amount } of lines) ledger[account] = (ledger[account] ?? 0) + amount
  }
  const sales: { amount: number; feeRate: number; creatorId: string }[] = []
  let payout: { state: PayoutState; sum: typeof sum } | undefined
  let files = 0
  const owed = () => -(ledger['creator_payable'] ?? 0)
  for (let step = 0; step < 60; step += 1) {
    const does = below(10)
    if (does < 4) {
      const sale = { amount: 100 + below(50_000), feeRate: below(3000), creatorId: 'c' }
      sales.push(sale)
      outside.paid += sale.amount
      book(saleLines(sale))
    } else if (does === 4 && sales.length > 0) {
      const [sale] = sales.splice(below(sales.length), 1)
      if (!sale) continue
      outside.returned += sale.amount
      book(refundLines(sale))
    } else if (!payout && owed() > 1000) {
      payout = { state: 'requested', sum: { creatorId: 'c', amount: owed(), fee: below(500), withheld: 0 } }
      book(requestLines(payout.sum))
    } else if (payout) {
      const keepsFee = below(2) === 0
      const is = events[below(events.length)] ?? 'hold'
      const after = payoutStep(payout.state, is === 'return' ? { is, keepsFee } : event(is))
      if (after === undefined) continue
      if (is === 'tax') {
        // It is decided once.
        if (payout.sum.withheld > 0) continue
        payout.sum = { ...payout.sum, withheld: below(500) }
        book(withheldLines(payout.sum))
      }
      const transfer = payout.sum.amount - payout.sum.fee - payout.sum.withheld
      if (is === 'export') files += 1
      // The bank has not executed it, or the money is back.
      if (is === 'void' || is === 'return') files -= 1
      if (is === 'cancel') book(cancelLines(payout.sum))
      if (is === 'pay') {
        book(paidLines(payout.sum))
        outside.received += transfer
        outside.charged += payout.sum.fee
      }
      if (is === 'return' && (payout.state === 'exported' || payout.state === 'paid')) {
        book(returnLines(payout.sum, payout.state, keepsFee))
        if (payout.state === 'paid') outside.received -= transfer
        else if (keepsFee) outside.charged += payout.sum.fee
      }
      payout = after === 'cancelled' || after === 'returned' ? undefined : { ...payout, state: after }
      // A paid payout may still be sent back, or be followed by the next one.
      if (payout?.state === 'paid' && below(2) === 0) [payout, files] = [undefined, 0]
    }
    check({ ledger, outside, files, state: payout?.state })
  }
}

const years = Number(process.env['YEARS'] ?? 300)

test(`in ${years} seeded years every yen is in one account at every step`, () => {
  const wrong: string[] = []
  for (let seed = 1; seed <= years; seed += 1)
    year(seed, ({ ledger, outside, files, state }) => {
      const of = (account: string) => ledger[account] ?? 0
      const total = Object.values(ledger).reduce((sumOf, it) => sumOf + it, 0)
      // What the platform holds is what buyers paid less what creators and the bank got; refunds are still owed.
      const held = of('provider_receivable') + of('bank')
      const got = outside.received + outside.charged
      if (total !== 0 || held !== outside.paid - got || -of('refunds') !== outside.returned)
        wrong.push(`seed ${seed}: ${JSON.stringify({ ledger, outside })}`)
      // No transfer leaves twice: one file has it from its export on, and none before.
      if (files !== (state === 'exported' || state === 'paid' ? 1 : 0))
        wrong.push(`seed ${seed}: ${state} in ${files} files`)
    })
  expect(wrong.slice(0, 3)).toEqual([])
})
