// Seeded months of sales and payouts, with two admins, a bank, and failing servers.
import type { Invariant } from './invariants.ts'
import { runPayoutStory } from './payouts/run.ts'
import { describeStories } from './report.ts'

const invariants: readonly (readonly [Invariant, string])[] = [
  ['twice', 'no payout is transferred by the bank twice'],
  ['transfer', 'the bank transfers exactly what was requested, to the account of that moment'],
  ['result', 'a payout is paid or returned only as the bank says'],
  ['covered', 'a payout takes no more than its creator has from closed months'],
  ['month', 'a creator has one payout in a month, unless it was returned or cancelled'],
  ['ledger', 'each yen is in exactly one place: the balance, a payout under way, the bank or its fee'],
  ['fee', 'the account of the bank has what the bank took for a file, as it was recorded last'],
  ['left', 'in the end each yen of a creator who left is paid, or is a task of the operator'],
  ['old', 'in the end a balance older than six months was taken by a payout, or is a task of the operator'],
  ['settled', 'in the end each payout is paid, returned or cancelled, and no file waits'],
  ['checked', 'in the end `money check` finds no difference'],
]

/** A story takes weeks, and the holidays of the bank days end in 2050. */
describeStories(invariants, runPayoutStory, { perDatabase: 60, sample: { pglite: 3, postgres: 10 } })
