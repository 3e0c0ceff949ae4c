// Runs seeded stories of money on shared servers.
import { createRandom } from '#contract/testing/random.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { act } from './actions.ts'
import { castOf } from './cast.ts'
import { checkStory } from './checked.ts'
import { deliverSafely } from './deliveries.ts'
import { checkEnd, checkRemoved, checkStored, payableOf } from './end-checks.ts'
import { checkStep, type Violation } from './invariants.ts'
import { checkKeptYear } from './kept-year.ts'
import { finishJobs } from './jobs.ts'
import { checkUploads } from './lists.ts'
import { type Observed, observe } from './observed.ts'
import { endRemovals, returnByHand, setSelling } from './operator.ts'
import type { Servers } from './servers.ts'
import { createStory, type Story } from './story.ts'

export interface Outcome {
  readonly violations: readonly Violation[]
  /** What the ledger owes the creator at the end, yen. */
  readonly payable: number
  readonly charges: number
}

/** Actions that change access only through purchases, so that it is read again only after a change of those. */
const ofPayments = new Set([
  'begin',
  'deliver',
  'forge',
  'jobs',
  'refund',
  'refund of a part',
  'dispute',
  'return by hand',
])
const changesAccess = ({ action }: Story): boolean => !ofPayments.has(action)

/** Runs one story. @returns its violations, the first ones only */
export async function runStory(seed: number, servers: Servers): Promise<Outcome> {
  const random = createRandom(seed)
  const { clock } = servers.steady
  servers.provider.begin(seed, () => clock.now)
  setSelling(servers, true)
  const story = createStory(random, servers, await castOf(servers.steady))
  let before = await observe(servers.steady, story.cast)
  const check = async (): Promise<Violation[]> => {
    const observed = await observe(servers.steady, story.cast, changesAccess(story) ? undefined : before)
    const found = checkStep(story, before, observed)
    before = observed
    return found.map((it) => ({ ...it, says: `after ${story.action}: ${it.says}` }))
  }
  const outcomeOf = (violations: readonly Violation[], observed: Observed): Outcome => ({
    violations,
    payable: payableOf(observed),
    charges: story.charges.length,
  })
  for (let step = random.between(8, 30); step > 0; step--) {
    const found = (await act(story)) ? await check() : []
    if (found.length > 0) return outcomeOf(found, before)
  }
  story.action = 'the last notices'
  servers.provider.isGone = false
  setSelling(servers, true)
  // Its own numbers, so that the story is the same without uploads.
  const uploads = await checkUploads(story, before, createRandom(seed + 1_000_003))
  if (uploads.length > 0) return outcomeOf(uploads, before)
  before = await observe(servers.steady, story.cast)
  for (const sent of story.waiting.splice(0)) await deliverSafely(story, sent)
  if (story.cast.offers.some((it) => it.removedAt !== null)) await endRemovals(story)
  await finishJobs(story)
  if (story.wasWithoutProvider) await returnByHand(story, 1000)
  const atEnd = [...(await check()), ...checkStored(story, before), ...checkRemoved(story, before)]
  // Compares everything that the provider truly has.
  story.action = 'reconcile'
  await reconcile(servers.steady.deps)
  await finishJobs(story)
  atEnd.push(...(await check()))
  atEnd.push(...checkEnd(story, before))
  if (atEnd.length === 0) atEnd.push(...(await checkKeptYear(story, before)))
  return outcomeOf([...atEnd, ...(await checkStory(seed, servers.steady))], before)
}
