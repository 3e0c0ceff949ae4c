// Broadcasts: notify many people of one post in batches. Each batch enqueues the next.
import { personChannel } from '#contract/realtime/channels.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { releaseNotification, mentionKeyOf } from '#server/rules/notification-events.ts'
import { accessTo, type PostAccess } from '#server/rules/post-access.ts'
import { endBatch, lockBatch } from '#server/store/notifications/fan-outs.ts'
import type { JobData } from '#server/store/jobs.ts'
import { notifyMany } from '#server/services/notifications/notify.ts'
import { findNotified } from '#server/store/notifications/notifications.ts'
import { accountState } from '#server/store/people/people.ts'
import { findPost, plansOpening, type PostRow } from '#server/store/posts/posts.ts'
import { type Follower, listFollowersAfter } from '#server/store/notifications/recipients.ts'

/** People read in one batch, which is one transaction. */
const BATCH_SIZE = 500

type BatchData = JobData['post.fan-out']

export async function fanOutPost(deps: Deps, { subjectId, stretch }: BatchData): Promise<void> {
  await deps.transaction(async (unit) => {
    const { tx, enqueue, publish } = unit
    const batch = await lockBatch(tx, subjectId, stretch)
    if (!batch) return
    const post = await findPost(tx, subjectId)
    const now = deps.clock()
    const releasedAt = post?.deletedAt === null ? post.releasedAt : null
    if (!post || !releasedAt || (await accountState(tx, post.authorId)) !== 'present')
      return endBatch(tx, subjectId, null, now)
    const planIds = (await plansOpening(tx, [post.id])).get(post.id) ?? []
    const { recipients, last } = await listFollowersAfter(
      tx,
      { ...post, planIds, releasedAt },
      batch.after,
      now,
      BATCH_SIZE,
    )
    const readers = recipients.filter((it) => isNotified(it, post, planIds, now))
    const ids = readers.map((it) => it.id)
    const mentioned = await findNotified(tx, mentionKeyOf(post.id), ids)
    // Mentioned people have a notification of this post already.
    const unmentioned = readers.filter((it) => mentioned.get(it.id) !== true)
    await notifyMany(
      unit,
      unmentioned.map((recipient) => ({
        recipient,
        fields: releaseNotification(recipient.isMember ? 'plan_post' : 'post', post),
      })),
      now,
    )
    for (const id of ids)
      publish({
        channel: personChannel(id),
        event: 'feed.newer',
        data: { post_id: post.id, author_id: post.authorId },
      })
    await endBatch(tx, subjectId, last, now)
    if (last === null) return
    await enqueue('post.fan-out', { subjectId, stretch: stretch + 1 })
  })
}

/** Whether a follower is notified of a post: also of a locked one, which the feed shows, not of one above their age. */
function isNotified(it: Follower, post: PostRow, planIds: readonly string[], now: number): boolean {
  const access: PostAccess = accessTo(
    {
      is: 'member',
      id: it.id,
      age: ageOn(it.birthDate, now),
      joinedPlans: new Set(it.isMember ? planIds : []),
      bought: false,
      showsAgeLimited: it.showsAgeLimited,
      blocked: false,
    },
    { ...post, released: true, deleted: false, authorState: 'present', planIds },
  )
  return access.is === 'full' || (access.is === 'preview' && access.wants !== 'age')
}
