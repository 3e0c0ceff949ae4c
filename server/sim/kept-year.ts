// The year in which bought posts of a deleted account stay, and its end.
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { KEPT_MS } from '#contract/payments/bought.ts'
import { deleteDue, leave, sweepDeletedPosts } from '#server/testing/people/leaving.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { checkStep, type Violation } from './invariants.ts'
import { HOUR } from './months.ts'
import { type Observed, observe } from './observed.ts'
import type { Story } from './story.ts'

/** Of stories whose creator is still there at the end, and whose creator has left; each adds a year of days that are closed. */
const LEAVES = 0.02
const HAS_LEFT = 0.3

const left = `select id, deleted_at is not null and content = '' as ended from posts where id = any($1::uuid[])`

/**
 * The creator leaves, unless they left before. What was bought can be read to the last hour of the year, and not after it, and no money moves.
 * @param before at the end of the story
 */
export async function checkKeptYear(story: Story, before: Observed): Promise<Violation[]> {
  const { random, cast, servers } = story
  const { steady } = servers
  const isGone = before.gone.includes(cast.creator.id)
  if (!random.chance(isGone ? HAS_LEFT : LEAVES)) return []
  if (!isGone) {
    if (!story.isCreatorLeaving) await leave(steady, cast.creator)
    story.isCreatorLeaving = true
    steady.clock.now += LEAVING_MS
    await deleteDue(steady)
  }
  story.action = 'the last hour of the kept year'
  const [deleted] = await rowsOf<{ at: Date | string }>(
    steady,
    'select deleted_at as at from users where id = $1',
    [cast.creator.id],
  )
  const end = Math.max(steady.clock.now + HOUR, new Date(deleted?.at ?? 0).getTime() + KEPT_MS)
  steady.clock.now = end - HOUR
  await sweepDeletedPosts(steady)
  const last = await observe(steady, cast)
  const found = checkStep(story, before, last)
  steady.clock.now = end
  await sweepDeletedPosts(steady)
  const after = await observe(steady, cast)
  return [...found, ...(await checkEnded(story, last, after))].map((it) => ({
    ...it,
    says: `in the kept year: ${it.says}`,
  }))
}

/** The posts are empty and closed to everyone, while payments, charges, their entries and purchases are as before. */
async function checkEnded({ cast, servers }: Story, last: Observed, after: Observed): Promise<Violation[]> {
  const ids = `{${cast.offers.map((it) => it.id).join(',')}}`
  const posts = await rowsOf<{ id: string; ended: boolean }>(servers.steady, left, [ids])
  const money = ({ payments, charges, purchases }: Observed) =>
    [payments, charges, purchases].map((rows) => rows.map((it) => JSON.stringify(it)).toSorted())
  return [
    ...posts.filter((it) => !it.ended).map((it) => `${it.id} is still there`),
    ...[...after.open].map((it) => `${it} is still open`),
    ...(JSON.stringify(money(after)) === JSON.stringify(money(last)) ? [] : ['money moved at its end']),
  ].map((says) => ({ of: 'ended', says }))
}
