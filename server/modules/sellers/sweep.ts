// Hourly: answers requests that can be answered now, reminds creators, and removes old requests.
import type { Deps } from '#server/deps.ts'
import { findUser } from '#server/store/people/people.ts'
import { listUnreminded, removeOldRequests, setReminded } from '#server/store/sellers/requests.ts'
import { answerWaiting, ownSellerUrl } from './answer.ts'

const DAY = 24 * 3600_000
/** A creator without data is reminded this long after a request, ms. */
const REMINDER_MS = DAY
/** How long an answered request is stored, ms. */
const STORED_MS = 3 * 365 * DAY
/** Requests of one sweep. */
const MOST = 500

export async function sweepSellers(deps: Deps): Promise<void> {
  const { db, clock } = deps
  await answerWaiting(deps)
  const due = await listUnreminded(db, clock() - REMINDER_MS, MOST)
  // The first of each creator is due next.
  for (const [creatorId, [first]] of Map.groupBy(due, (it) => it.creatorId))
    if (first) await remind(deps, creatorId, first.dueAt.getTime())
  await removeOldRequests(db, clock() - STORED_MS)
}

async function remind(deps: Deps, creatorId: string, due: number): Promise<void> {
  await deps.transaction(async ({ tx, email }) => {
    await setReminded(tx, creatorId, deps.clock())
    const creator = await findUser(tx, creatorId)
    if (!creator || creator.deletedAt !== null) return
    await email(creator, { is: 'seller_missing', due, url: ownSellerUrl(deps) })
  })
}
