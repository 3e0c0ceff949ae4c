// Runs seeded stories of payouts on shared servers.
import { newId } from '#contract/ids.ts'
import { createRandom } from '#contract/testing/random.ts'
import { sweepPayouts } from '#server/modules/payouts/sweep.ts'
import { sweepSales } from '#server/modules/sales/closing.ts'
import { dayOf, monthAfter, monthOf, monthRange } from '#server/rules/money/periods.ts'
import { dueDay } from '#server/rules/payouts/bank-days.ts'
import { checkStory } from '#server/sim/checked.ts'
import { HOUR } from '#server/sim/months.ts'
import type { Violation } from '#server/sim/invariants.ts'
import type { Outcome } from '#server/sim/run.ts'
import type { Servers } from '#server/sim/servers.ts'
import { approve, decide, listed, makeFile } from '#server/testing/payouts/payouts.ts'
import { call, type Member } from '#server/testing/people/members.ts'
import { runRefunds } from '#server/testing/payments/bookings.ts'
import { act, removeAccount, sell, storeAccount } from './actions.ts'
import { deliverFile, filesToDeliver, importAll, recordFees } from './bank.ts'
import { dismiss, payoutCastOf } from './cast.ts'
import { balanceOf, checkLeft, checkOld, checkPayoutEnd, checkPayouts } from './invariants.ts'
import { observePayouts } from './observed.ts'
import { actingAdmin, proven } from './servers.ts'
import type { PayoutStory } from './story.ts'

/** Runs one story. @returns its violations, the first ones only */
export async function runPayoutStory(seed: number, servers: Servers): Promise<Outcome> {
  const random = createRandom(seed)
  const { steady } = servers
  servers.provider.begin(seed, () => steady.clock.now)
  const cast = await payoutCastOf(steady)
  const story: PayoutStory = {
    random,
    servers,
    cast,
    delivered: [],
    fileIds: [],
    typedFees: new Map(),
    account: '',
    hasLeft: false,
    observed: await observePayouts(steady, cast),
    action: 'start',
  }
  try {
    const violations = [...(await play(story)), ...(await checkStory(seed, steady))]
    const transfers = story.delivered.flatMap((it) => it.transfers).length
    return { violations, payable: balanceOf(story.observed), charges: transfers }
  } finally {
    await dismiss(steady, cast)
  }
}

async function check(story: PayoutStory): Promise<Violation[]> {
  const observed = await observePayouts(story.servers.steady, story.cast)
  const found = checkPayouts(story, observed)
  story.observed = observed
  return found.map((it) => ({ ...it, says: `after ${story.action}: ${it.says}` }))
}

/** Most stories begin with a closed month of sales and an account. */
async function beginWithSales(story: PayoutStory): Promise<void> {
  const { random, servers } = story
  story.action = 'the first sales'
  if (random.chance(0.85)) await storeAccount(story)
  await sell(story)
  const { clock } = servers.steady
  clock.now = monthRange(monthAfter(monthOf(clock.now))).from + 3 * HOUR
  if (random.chance(0.5)) await sweepSales(servers.steady.deps)
}

async function play(story: PayoutStory): Promise<Violation[]> {
  await beginWithSales(story)
  story.observed = await observePayouts(story.servers.steady, story.cast)
  for (let step = story.random.between(20, 60); step > 0; step--) {
    await act(story)
    const found = await check(story)
    if (found.length > 0) return found
  }
  await finish(story)
  const ends = [...(await check(story)), ...checkPayoutEnd(story.observed), ...checkLeft(story)]
  if (ends.length > 0 || story.hasLeft || !story.random.chance(AGED)) return ends
  await grow(story)
  return [...(await check(story)), ...checkOld(story)]
}

/** Every file goes to the bank, every result is imported, and the rest is cancelled. */
async function finish(story: PayoutStory): Promise<void> {
  const { steady } = story.servers
  story.action = 'the end'
  const files = story.observed.files.filter((it) => !it.voided).length
  for (let n = story.delivered.length; n < files; n++) await deliverFile(story)
  await importAll(story)
  story.observed = await observePayouts(steady, story.cast)
  await recordFees(story)
  await runRefunds(steady)
  if (story.hasLeft) return settleLeft(story)
  const open = (await observePayouts(steady, story.cast)).payouts
  const as = await actingAdmin(story)
  for (const { id, state } of open)
    if (['requested', 'held', 'approved'].includes(state))
      await decide(steady, as, id, { is: 'cancel', reason: '終了のため' })
}

/** Stories that go on until what is left is older than six months: each takes most of a year of the clock that they share. */
const AGED = 0.2

/** Months pass without a sale, until all sales were closed six months ago. */
async function grow(story: PayoutStory): Promise<void> {
  const { random, servers, cast } = story
  const { clock, deps } = servers.steady
  story.action = 'seven months'
  // Most would be paid by themselves.
  if (random.chance(0.4)) await removeAccount(story)
  await call(servers.steady, cast.creator, 'PUT', '/payouts/automatic', { automatic: random.chance(0.4) })
  clock.now = monthRange(monthAfter(monthOf(clock.now), 7)).from + 3 * HOUR
  await sweepSales(deps)
  await sweepPayouts(deps)
}

/** Months that the money of a creator who left takes at most: the open one, one whose payout waits, and one that came back. */
const MONTHS = 4

/** The operator does for a creator who left what a month asks for, until nothing is owed or a task is. */
async function settleLeft(story: PayoutStory): Promise<void> {
  const { servers, cast } = story
  const { steady } = servers
  for (let n = 0; n < MONTHS; n++) {
    const { clock, deps } = steady
    clock.now = monthRange(monthAfter(monthOf(clock.now))).from + 3 * HOUR
    await sweepSales(deps)
    await sweepPayouts(deps)
    await payAll(story)
    await runRefunds(steady)
    await sweepPayouts(deps)
    const observed = await observePayouts(steady, cast)
    const isOver = checkPayoutEnd(observed).length === 0
    if (isOver && (balanceOf(observed) === 0 || observed.task)) return
  }
}

/** Every payout goes through the bank. */
async function payAll(story: PayoutStory): Promise<void> {
  const { steady } = story.servers
  const { payouts } = await observePayouts(steady, story.cast)
  const [by, other] = story.cast.admins as [Member, Member]
  for (const it of [by, other]) await proven(story, it)
  // Those whose account changed since are approved again.
  await listed(steady, by, 'approved')
  for (const { id, state } of payouts) {
    if (state === 'held') await decide(steady, other, id, { is: 'release' })
    if (state === 'held' || state === 'requested' || state === 'approved') await approve(steady, by, id)
  }
  // Each makes the file of what the other one has approved.
  for (const it of [other, by]) await makeFile(steady, it, newId(), dueDay(dayOf(steady.clock.now)))
  story.observed = await observePayouts(steady, story.cast)
  for (let n = filesToDeliver(story).length; n > 0; n--) await deliverFile(story)
  await importAll(story)
}
