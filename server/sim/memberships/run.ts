// Runs seeded stories of memberships on shared servers.
import { createRandom } from '#contract/testing/random.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { checkStory } from '#server/sim/checked.ts'
import { deliverSafely } from '#server/sim/deliveries.ts'
import { payableOf } from '#server/sim/end-checks.ts'
import type { Violation } from '#server/sim/invariants.ts'
import { finishJobs } from '#server/sim/jobs.ts'
import { DAY } from '#server/sim/months.ts'
import type { Outcome } from '#server/sim/run.ts'
import type { Servers } from '#server/sim/servers.ts'
import { act } from './actions.ts'
import { join } from './fans.ts'
import { clubOf, disband } from './cast.ts'
import { checkClubEnd, checkClubStored } from './end-checks.ts'
import { checkClub } from './invariants.ts'
import { observeClub } from './observed.ts'
import { createClubStory, type ClubStory } from './story.ts'

/** 1 January 2027 in Asia/Tokyo. Every story begins within a year from here, by its seed. */
const START = Date.parse('2027-01-01T00:00:00+09:00')

/** Runs one story. @returns its violations, the first ones only */
export async function runClubStory(seed: number, servers: Servers): Promise<Outcome> {
  const random = createRandom(seed)
  const { clock } = servers.steady
  clock.now = START + Math.floor(random.next() * 365 * DAY)
  servers.provider.begin(seed, () => clock.now)
  const cast = await clubOf(servers.steady, random)
  const story = createClubStory(random, servers, cast, await observeClub(servers.steady, cast))
  try {
    const violations = [...(await play(story)), ...(await checkStory(seed, servers.steady))]
    const { observed, charges } = story
    return { violations, payable: payableOf(observed), charges: charges.length }
  } finally {
    await disband(servers.steady, cast)
  }
}

async function check(story: ClubStory): Promise<Violation[]> {
  const observed = await observeClub(story.servers.steady, story)
  const found = checkClub(story, observed)
  story.observed = observed
  return found.map((it) => ({ ...it, says: `after ${story.action}: ${it.says}` }))
}

async function beginWithMember(story: ClubStory): Promise<void> {
  story.action = 'the first join'
  await join(story)
  for (const sent of story.waiting.splice(0)) await deliverSafely(story, sent)
}

async function play(story: ClubStory): Promise<Violation[]> {
  const { random, servers } = story
  const steps = random.between(15, 45)
  for (let step = 0; step < steps; step++) {
    // Most stories begin with a member.
    await (step === 0 && random.chance(0.8) ? beginWithMember(story) : act(story))
    const found = await check(story)
    if (found.length > 0) return found
  }
  story.action = 'the last notices'
  for (const sent of story.waiting.splice(0)) await deliverSafely(story, sent)
  await finishJobs(story)
  const atEnd = [...(await check(story)), ...checkClubStored(story, story.observed)]
  if (atEnd.length > 0) return atEnd
  // Compares everything that the provider truly has.
  story.action = 'reconcile'
  await reconcile(servers.steady.deps)
  await sweepMemberships(servers.steady.deps)
  story.sweeps.push(servers.steady.clock.now)
  await finishJobs(story)
  return [...(await check(story)), ...checkClubEnd(story, story.observed)]
}
