// Finds the owner and text of a report's target, if the reporter can see it.
import { commentColumns, postColumns } from '#server/store/personal/content.ts'
import { quotedRow } from '#server/store/personal/duties.ts'
import { accountColumns } from '#server/store/personal/people.ts'
import type { ReportKind } from '#contract/posts/reports.ts'
import type { Deps } from '#server/deps.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { findPeople, findUser } from '#server/store/people/people.ts'
import { relationsOf } from '#server/store/people/relations.ts'
import { findCommentText } from '#server/store/reactions/reports.ts'
import { messageTarget, type ReportedTarget as Target } from '#server/services/moderation/reported-message.ts'
import { decisionOn, readingOf } from '#server/services/posts/post-decision.ts'

/** @returns undefined for a target that does not exist, is hidden from the viewer, or is the viewer's own */
export async function findTarget(
  deps: Deps,
  viewer: Viewer,
  kind: ReportKind,
  id: string,
): Promise<Target | undefined> {
  const target = await targetOf(deps, viewer, kind, id)
  return target?.ownerId === viewer.id ? undefined : target
}

function targetOf(deps: Deps, viewer: Viewer, kind: ReportKind, id: string): Promise<Target | undefined> {
  switch (kind) {
    case 'post':
      return postTarget(deps, viewer, id)
    case 'comment':
      return commentTarget(deps, viewer, id)
    case 'person':
      return personTarget(deps, viewer, id)
    case 'message':
      return messageTarget(deps, viewer.id, id)
    default:
      return kind satisfies never
  }
}

/** Quotes the whole text, also when the reporter sees a preview only: the decision needs it, reporters never see it. */
async function postTarget(deps: Deps, viewer: Viewer, id: string): Promise<Target | undefined> {
  const { db, clock } = deps
  const access = await readingOf(db, viewer, id, clock())
  if (!access || access.post.releasedAt === null) return undefined
  const { author } = access.post
  return { ownerId: author.id, quoted: { name: author.name, ...quotedRow(postColumns, access.post) } }
}

async function commentTarget(deps: Deps, viewer: Viewer, id: string): Promise<Target | undefined> {
  const { db, clock } = deps
  const comment = await findCommentText(db, id)
  const access = comment && (await decisionOn(db, viewer, comment.postId, clock()))
  if (!comment || access?.decision.is !== 'full') return undefined
  const author = (await findPeople(db, [comment.authorId])).get(comment.authorId)
  const isBlocked = (await blockedAmong(db, viewer.id, [comment.authorId])).size > 0
  if (author?.state !== 'present' || isBlocked) return undefined
  return {
    ownerId: comment.authorId,
    quoted: { name: author.name, ...quotedRow(commentColumns, comment), post_id: comment.postId },
  }
}

/** A viewer may report people whom they have blocked, but not people who have blocked them. */
async function personTarget({ db }: Deps, viewer: Viewer, id: string): Promise<Target | undefined> {
  const person = (await findPeople(db, [id])).get(id)
  const relation = (await relationsOf(db, viewer.id, [id])).get(id)
  const user = await findUser(db, id)
  if (person?.state !== 'present' || !user || !relation || relation.blockedBy) return undefined
  return { ownerId: id, quoted: quotedRow(accountColumns, user) }
}
