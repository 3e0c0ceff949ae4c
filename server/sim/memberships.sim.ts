// Seeded histories of memberships over months, with the real server modules and failing servers.
import type { Invariant } from './invariants.ts'
import { runClubStory } from './memberships/run.ts'
import { describeStories } from './report.ts'

const invariants: readonly (readonly [Invariant, string])[] = [
  ['ledger', 'each charge of a plan has its entries, and each entry the lines of its event'],
  ['access', 'no plan is open without a charge of the period, its grace or its announced end'],
  ['refunded', 'the refund of the month that runs closes the plan'],
  ['paid', 'each month that was paid and not revoked is open'],
  ['opened', 'who pays for a plan, or was given it and the gift runs, sees everything that it opens'],
  ['period', 'a charge pays the period in which it was made, once'],
  ['one', 'a fan has at most one running membership of a creator'],
  ['reason', 'a membership ends only for a reason that happened, and is refunded if its creator ended it'],
  ['joined', 'a plan is joined within its limit, before its end and without a block'],
  ['card', 'with another card, price, day of joining and the days from which posts are open are as before'],
  ['state', 'the payment of a month is paid or refunded exactly as its sale is'],
  ['price', 'each month has a price that its member confirmed'],
  ['true', 'each recorded charge of a plan is one that the provider made'],
  ['stored', 'a notice about a plan that was answered with 200 is handled without another one'],
  ['settled', 'in the end each charge is a sale of a period, or its money was returned once'],
  ['recurring', 'in the end the provider charges exactly for the memberships that go on'],
  ['checked', 'in the end `money check` finds no difference'],
]

describeStories(invariants, runClubStory)
