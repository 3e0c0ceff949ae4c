// Seeded histories of payments with the real server modules, lost notices and killed servers.
import type { Invariant } from './invariants.ts'
import { describeStories } from './report.ts'
import { runStory } from './run.ts'

const invariants: readonly (readonly [Invariant, string])[] = [
  ['ledger', 'each charge has its entries, and each entry the lines of its event'],
  ['access', 'no post is open without a true charge that paid for it'],
  ['double', 'no post is sold twice to a person without a refund between'],
  ['kept', 'what was bought stays with its buyer through blocks and deletions'],
  ['removed', 'what staff removed is refunded once it cannot come back'],
  ['ended', 'a year after its creator left, what was bought is gone, and no money moves'],
  ['refunded', 'a refunded purchase is closed'],
  ['sold', 'a charge for a post that can be sold opens it, exactly once'],
  ['state', 'a payment is paid or refunded exactly as its sale is'],
  ['price', 'a payment has the price that the post had when it was begun'],
  ['true', 'each recorded charge is one that the provider made'],
  ['stored', 'a notice that was answered with 200 is handled without another one'],
  ['settled', 'in the end each charge is a sale, or its money was returned once'],
  ['second', 'a list above the limit changes nothing before another person uploads it'],
  ['checked', 'in the end `money check` finds no difference'],
]

describeStories(invariants, runStory)
