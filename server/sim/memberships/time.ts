// Lets time pass: the provider charges months, cards fail, notices arrive, sweeps run.
import { newId } from '#contract/ids.ts'
import { deleteDueAccounts } from '#server/modules/leaving/erase.ts'
import { sweepPayments } from '#server/modules/payments/sweep.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { deliver, killSoon, sendNotices } from '#server/sim/deliveries.ts'
import { runJobs } from '#server/sim/jobs.ts'
import { DAY, dayAfter, HOUR } from '#server/sim/months.ts'
import { queryOf, type TrueRecurring } from '#server/sim/provider.ts'
import type { ClubStory } from './story.ts'

/** Tries of one month before the provider stops. */
const TRIES = 3

/** Passes so many ms. Charges of this time are made at their moments. */
export async function advance(story: ClubStory, ms: number): Promise<void> {
  const { servers, random } = story
  const { clock } = servers.steady
  const target = clock.now + ms
  for (let due = nextDue(story, target); due; due = nextDue(story, target)) {
    clock.now = Math.max(clock.now, due.tryAt)
    tryMonth(story, due)
    if (random.chance(0.7)) await deliverAll(story)
    if (random.chance(0.4)) await runJobs(story, true)
    if (random.chance(0.4)) await sweep(story)
  }
  clock.now = target
}

function nextDue({ servers }: ClubStory, target: number): TrueRecurring | undefined {
  const running = [...servers.provider.recurring.values()].filter((it) => it.isRunning && it.tryAt <= target)
  return running.toSorted((a, b) => a.tryAt - b.tryAt)[0]
}

/** Charges a month, at times up to half a day early, or fails. */
function tryMonth(story: ClubStory, it: TrueRecurring): void {
  const { random, servers, waiting, charges } = story
  const { clock } = servers.steady
  // A card that failed mostly fails again.
  if (random.chance(it.failures === 0 ? 0.85 : 0.4)) {
    const made = servers.provider.charge(newId(), it.form, it.amount, it.acid)
    charges.push(made)
    sendNotices(story, made)
    it.failures = 0
    const day = dayAfter(clock.now + DAY, it.day)
    it.tryAt = random.chance(0.15) ? day - random.between(1, 12) * HOUR : day + random.between(0, 10) * HOUR
    return
  }
  it.failures += 1
  it.tryAt = clock.now + random.between(1, 4) * DAY
  const { acid, paymentId: cod } = it
  if (it.failures < TRIES) {
    const fields = { rst: '3', ec: 'ER003', acid, cod }
    const short = new URLSearchParams({ rst: '3', cod, acid }).toString()
    if (random.chance(0.8))
      waiting.push({
        query: random.chance(0.5) ? short : queryOf(it.form, newId(), { ...fields, ...amounts(it) }),
        charge: null,
      })
    return
  }
  Object.assign(it, { isRunning: false, wasStoppedThere: true })
  if (random.chance(0.8))
    waiting.push({ query: new URLSearchParams({ rst: '2', cod }).toString(), charge: null })
}

const amounts = ({ amount }: TrueRecurring) => ({ am: String(amount), ta: String(amount) })

async function deliverAll(story: ClubStory): Promise<void> {
  for (const sent of story.waiting.splice(0)) {
    await deliver(story, sent)
    if (sent.charge && !sent.charge.isAcknowledged && story.random.chance(0.5)) story.waiting.push(sent)
  }
}

/** The hourly sweeps, of which one may be killed; the next one repeats it. */
export async function sweep(story: ClubStory): Promise<void> {
  const { random, servers, sweeps } = story
  const isKilled = random.chance(0.2)
  if (isKilled) killSoon(story)
  const { deps } = isKilled ? servers.fragile : servers.steady
  for (const work of [deleteDueAccounts, sweepPayments, sweepMemberships]) {
    try {
      await work(deps)
      if (work === sweepMemberships) sweeps.push(servers.steady.clock.now)
    } catch (error) {
      if (!isKilled) throw error
    }
  }
  servers.crashes.restart()
}
