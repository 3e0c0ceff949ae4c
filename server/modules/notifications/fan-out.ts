// Telling many people of one thing, a stretch at a time: each stretch enqueues the next in its own transaction.
import { personChannel } from '#contract/channels.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { lineOfNotice, lineOfRelease, mentionKeyOf } from '#server/rules/happenings.ts'
import { accessTo, type PostAccess } from '#server/rules/post-access.ts'
import { endStretch, holdStretch } from '#server/store/fan-outs.ts'
import type { JobData } from '#server/store/jobs.ts'
import { findPublished } from '#server/store/notices.ts'
import { linesOf } from '#server/store/notifications.ts'
import { accountState } from '#server/store/people.ts'
import { findPost, plansOpening, type PostRow } from '#server/store/posts.ts'
import { type Follower, listFollowersAfter, listMembersAfter, type Told } from '#server/store/told.ts'

/** People looked at by one transaction. */
const STRETCH = 500

type Stretch = JobData['post.fan-out']

export async function fanOutPost(deps: Deps, { subjectId, stretch }: Stretch): Promise<void> {
  const { clock, commit, jobs, notify } = deps
  await commit(async (tx, after) => {
    const held = await holdStretch(tx, subjectId, stretch)
    if (!held) return
    const post = await findPost(tx, subjectId)
    const now = clock()
    const stays = post !== undefined && post.releasedAt !== null && post.deletedAt === null
    if (!stays || (await accountState(tx, post.authorId)) !== 'present')
      return endStretch(tx, subjectId, null, now)
    const planIds = (await plansOpening(tx, [post.id])).get(post.id) ?? []
    const { people, last } = await listFollowersAfter(tx, { ...post, planIds }, held.after, now, STRETCH)
    const readers = people.filter((it) => mayKnow(it, post, planIds, now))
    const ids = readers.map((it) => it.id)
    const named = await linesOf(tx, mentionKeyOf(post.id), ids)
    // Whoever is named in it finds that in their list, and need not be told of the same post again.
    const news = readers.filter((it) => named.get(it.id) !== true)
    await notify.tellMany(
      tx,
      after,
      news.map((told) => ({ told, line: lineOfRelease(told.isMember ? 'plan_post' : 'post', post) })),
    )
    for (const id of ids)
      after.say({
        channel: personChannel(id),
        event: 'feed.newer',
        data: { post_id: post.id, author_id: post.authorId },
      })
    await endStretch(tx, subjectId, last, now)
    if (last === null) return
    await jobs.enqueue(tx, 'post.fan-out', { subjectId, stretch: stretch + 1 })
    after.wake('post.fan-out')
  })
}

/** A post behind a plan or a price is told of, as it stands in the feed; one that is not for their age is not. */
function mayKnow(it: Follower, post: PostRow, planIds: readonly string[], now: number): boolean {
  const access: PostAccess = accessTo(
    {
      is: 'member',
      id: it.id,
      age: ageOn(it.birthDate, now),
      joinedPlans: new Set(it.isMember ? planIds : []),
      bought: false,
      showsAgeLimited: it.showsAgeLimited,
      apart: false,
    },
    { ...post, released: true, deleted: false, authorState: 'present', planIds },
  )
  return access.is === 'full' || (access.is === 'preview' && access.wants !== 'age')
}

export async function fanOutNotice(deps: Deps, { subjectId, stretch }: Stretch): Promise<void> {
  const { clock, commit, jobs, notify } = deps
  await commit(async (tx, after) => {
    const held = await holdStretch(tx, subjectId, stretch)
    if (!held) return
    const now = clock()
    const notice = (await findPublished(tx, [subjectId], now)).get(subjectId)
    if (!notice) return endStretch(tx, subjectId, null, now)
    const { people, last } = await listMembersAfter(tx, notice.audience, held.after, STRETCH)
    const line = lineOfNotice(subjectId)
    await notify.tellMany(
      tx,
      after,
      people.map((told: Told) => ({ told, line })),
    )
    await endStretch(tx, subjectId, last, now)
    if (last === null) return
    await jobs.enqueue(tx, 'notice.fan-out', { subjectId, stretch: stretch + 1 })
    after.wake('notice.fan-out')
  })
}
