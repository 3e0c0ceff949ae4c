// Holds posts and comments for a review, and shows them after it.
import { newId } from '#contract/ids.ts'
import { postChannel } from '#contract/realtime/channels.ts'
import { commentEvents } from '#server/rules/notification-events.ts'
import { broadcast, type NotifyingUnit } from '#server/services/notifications/notify.ts'
import { mentionEvents } from '#server/services/posts/mention-events.ts'
import { reindexPost } from '#server/services/search/search-index.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { lockCaseOf, setCase } from '#server/store/moderation/cases.ts'
import {
  addHold,
  endHold,
  type HeldThing,
  lockComment,
  lockHeldPost,
  releaseHeldPost,
  setPostHeld,
  showHeldComment,
  takeBackFanOut,
} from '#server/store/moderation/holds.ts'
import { findComment } from '#server/store/reactions/comments.ts'
import { postCountsOf } from '#server/store/reactions/counts.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { type Found, undeclaredFilm } from './found.ts'

type Unit = UnitOfWork & NotifyingUnit

interface Held extends HeldThing {
  readonly ownerId: string
  /** The author of the post, of a comment. */
  readonly creatorId: string
  readonly releasedAt: Date | null
}

/** Stores a hold and tells its author; one for staff opens a case without a report. */
async function record(unit: Unit, held: Held, found: Found, now: number): Promise<void> {
  const { tx, notify } = unit
  const { targetKind, targetId, ownerId, creatorId, releasedAt } = held
  const id = newId()
  const added = await addHold(tx, {
    id,
    targetKind,
    targetId,
    ownerId,
    reviewer: found.reviewer,
    creatorId: found.reviewer === 'creator' ? creatorId : null,
    reason: found.reason,
    word: found.word?.word ?? '',
    wordId: found.word?.id ?? null,
    distance: found.distance ?? null,
    state: 'open',
    createdAt: new Date(now),
    releasedAt,
  })
  if (!added) return
  await notify({ is: 'hold', to: ownerId, holdId: id })
  if (found.reviewer === 'creator') return
  const row = await lockCaseOf(tx, { targetKind, targetId, ownerId }, now)
  if (row.state === 'decided') await setCase(tx, row.id, { state: 'open', since: new Date(now) })
}

/**
 * Holds a released post: its author alone sees it from now on, and followers are notified when it is approved. A post that was just released
 * in the same transaction was never seen by others.
 * @param isNew whether this transaction has released it
 * @returns whether it is held now
 */
export async function holdPost(
  unit: Unit,
  post: { readonly id: string; readonly authorId: string },
  found: Found,
  { isNew, now }: { readonly isNew: boolean; readonly now: number },
): Promise<boolean> {
  const before = await setPostHeld(unit.tx, post.id, now)
  if (!before) return false
  const unseen = isNew || (await takeBackFanOut(unit.tx, post.id))
  await reindexPost(unit.tx, post.id)
  unit.endConnections({ is: 'channel', channel: postChannel(post.id) })
  await record(unit, { ...heldPost(post), releasedAt: unseen ? null : before.releasedAt }, found, now)
  return true
}

const heldPost = ({ id, authorId }: { readonly id: string; readonly authorId: string }) =>
  ({ targetKind: 'post', targetId: id, ownerId: authorId, creatorId: authorId }) as const

/** Lets a held post wait for another reason. Its row must be locked. */
export async function holdNext(
  unit: Unit,
  post: { readonly id: string; readonly authorId: string },
  found: Found,
  now: number,
): Promise<void> {
  const ended = await endHold(unit.tx, { targetKind: 'post', targetId: post.id }, 'approved', now)
  await record(unit, { ...heldPost(post), releasedAt: ended?.releasedAt ?? null }, found, now)
}

/** Records the hold of a comment, which was added with `heldAt`. */
export function holdComment(
  unit: Unit,
  comment: { readonly id: string; readonly authorId: string },
  postAuthorId: string,
  found: Found,
  now: number,
): Promise<void> {
  const held = { targetKind: 'comment', targetId: comment.id, ownerId: comment.authorId } as const
  return record(unit, { ...held, creatorId: postAuthorId, releasedAt: null }, found, now)
}

/**
 * Shows a held thing after its review, once: a second call finds no open hold. A post is released as at its first release; followers are notified
 * unless they were before.
 * @returns whether it was held
 */
export function approveHold(unit: Unit, thing: HeldThing, now: number): Promise<boolean> {
  return thing.targetKind === 'post'
    ? approvePost(unit, thing.targetId, now)
    : approveComment(unit, thing.targetId, now)
}

async function approvePost(unit: Unit, id: string, now: number): Promise<boolean> {
  const { tx, notify } = unit
  const post = await lockHeldPost(tx, id)
  if (!post || post.heldAt === null || post.deletedAt !== null) return false
  const hold = await endHold(tx, { targetKind: 'post', targetId: id }, 'approved', now)
  if (!hold) return false
  // What was shown before stays so; what was never shown waits for its author next.
  const next = hold.releasedAt === null ? await undeclaredFilm(tx, id) : undefined
  if (next) {
    await record(unit, { ...heldPost(post), releasedAt: null }, next, now)
    return true
  }
  await releaseHeldPost(tx, id, hold.releasedAt ?? new Date(now))
  await reindexPost(tx, id)
  if (hold.releasedAt === null) await broadcast(unit, 'post', id, now)
  const written = { by: post.authorId, postId: id, commentId: null, parentId: null, text: post.content }
  for (const event of await mentionEvents(tx, written, now)) await notify(event)
  await notify({ is: 'hold_ended', to: post.authorId, holdId: hold.id })
  unit.endConnections({ is: 'channel', channel: postChannel(id) })
  return true
}

async function approveComment(unit: Unit, id: string, now: number): Promise<boolean> {
  const { tx, notify, publish } = unit
  const comment = await lockComment(tx, id)
  if (!comment || comment.heldAt === null || comment.withheldAt !== null) return false
  const hold = await endHold(tx, { targetKind: 'comment', targetId: id }, 'approved', now)
  if (!hold) return false
  await showHeldComment(tx, id)
  const { authorId: by, postId, parentId } = comment
  const post = await findPost(tx, postId)
  const answeredAuthors: string[] = []
  for (const answeredId of [parentId, comment.answersId]) {
    const answered = answeredId === null ? undefined : await findComment(tx, answeredId)
    if (answered) answeredAuthors.push(answered.authorId)
  }
  if (post) {
    const events = commentEvents({
      by,
      postId,
      postAuthorId: post.authorId,
      commentId: id,
      parentId,
      answeredAuthors,
    })
    const notified = new Set(events.map((it) => it.to))
    const written = { by, postId, commentId: id, parentId, text: comment.content, notified }
    // The creator who has just shown a comment needs no notification of it.
    const shownBy = hold.reviewer === 'creator' ? post.authorId : undefined
    for (const it of [...events, ...(await mentionEvents(tx, written, now))])
      if (it.to !== shownBy) await notify(it)
  }
  await notify({ is: 'hold_ended', to: by, holdId: hold.id })
  publish({
    channel: postChannel(postId),
    event: 'comments.changed',
    data: { post_id: postId, comment_id: id, ...(await postCountsOf(tx, postId)) },
  })
  return true
}
