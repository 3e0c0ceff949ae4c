// Runs the jobs of servers, which may be killed meanwhile.
import type { Deps } from '#server/deps.ts'
import { sweepPayments } from '#server/modules/payments/sweep.ts'
import { sweepSales } from '#server/modules/sales/closing.ts'
import { announcePriceTo, closePlanOf } from '#server/services/memberships/plan-changes.ts'
import { openPlansOf, stopWhatEnds } from '#server/services/memberships/stop.ts'
import { stopRecurring, syncCharges } from '#server/services/memberships/sync-charges.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { returnCharge } from '#server/services/payments/refund.ts'
import type { JobData } from '#server/store/jobs.ts'
import { killSoon } from './deliveries.ts'
import type { Common, Job } from './story.ts'

const MINUTE = 60_000

type Runners = { readonly [N in keyof JobData]?: (deps: Deps, data: JobData[N]) => Promise<unknown> }

const runners: Runners = {
  'payment.notice': (deps, { noticeId }) => handleNotice(deps, noticeId),
  'payment.refund': (deps, { chargeId }) => returnCharge(deps, chargeId),
  'membership.charges': (deps, { membershipId }) => syncCharges(deps, membershipId),
  'recurring.stop': stopRecurring,
  'membership.stops': stopWhatEnds,
  'membership.plan-closing': closePlanOf,
  'membership.plan-price': announcePriceTo,
  'membership.open-plans': openPlansOf,
}
const names = `{${Object.keys(runners).join(',')}}`

async function run(deps: Deps, { name, data }: Job): Promise<void> {
  const work = (runners as Record<string, ((deps: Deps, data: object) => Promise<unknown>) | undefined>)[name]
  await work?.(deps, data)
}

async function takeWaiting({ servers }: Common): Promise<Job[]> {
  const { rows } = await servers.steady.database.executeSql(
    `update pgboss.job set state = 'completed' where name = any($1) and state = 'created' returning name, data`,
    [names],
  )
  return rows as Job[]
}

/** Runs the waiting jobs; those that fail remain. @param kills whether servers and the provider fail meanwhile */
export async function runJobs(story: Common, kills: boolean): Promise<void> {
  const { servers, jobs, random } = story
  const { steady, fragile, crashes, provider } = servers
  jobs.push(...(await takeWaiting(story)))
  for (const job of jobs.splice(0)) {
    const isKilled = kills && random.chance(0.3)
    if (isKilled) killSoon(story)
    if (kills && random.chance(0.1)) provider.failures = 1
    if (kills && random.chance(0.1)) provider.lostReplies = 1
    await run((isKilled ? fragile : steady).deps, job).catch((error: unknown) => {
      // Without a failure of the story it is one of the server.
      if (!kills) throw error
      jobs.push(job)
    })
    provider.failures = 0
    provider.lostReplies = 0
    crashes.restart()
  }
}

/** Runs jobs and sweeps without failures, until none is left. */
export async function finishJobs(story: Common): Promise<void> {
  const { steady } = story.servers
  await runJobs(story, false)
  steady.clock.now += 10 * MINUTE
  await sweepPayments(steady.deps)
  await sweepSales(steady.deps)
  // Jobs may enqueue further ones.
  for (let left = await takeWaiting(story); left.length > 0; left = await takeWaiting(story)) {
    story.jobs.push(...left)
    await runJobs(story, false)
  }
}
