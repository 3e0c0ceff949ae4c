// Finds the content of a claim, and reports it in its case.
import { commentColumns, postColumns } from '#server/store/personal/content.ts'
import { quotedRow } from '#server/store/personal/duties.ts'
import { accountColumns } from '#server/store/personal/people.ts'
import { newId } from '#contract/ids.ts'
import type { Deps, Unit } from '#server/deps.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { contentAddress } from '#server/rules/moderation/content-address.ts'
import {
  copiesAround,
  messageTarget,
  type ReportedTarget,
} from '#server/services/moderation/reported-message.ts'
import type { Db } from '#server/store/database.ts'
import { addCopies, addReport, type InquiryRecord } from '#server/store/inquiries/inquiries.ts'
import { findMessageAt } from '#server/store/messages/reportable.ts'
import { countReport, lockCaseOf } from '#server/store/moderation/cases.ts'
import { findPeople, findUser } from '#server/store/people/people.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import { findCommentText } from '#server/store/reactions/reports.ts'

type Place = Pick<InquiryRecord, 'targetKind' | 'targetId' | 'senderId'>

/**
 * The content of an address, with its owner; undefined when there is none. A message is found by its two people alone.
 * @param host by which the sender reached this site
 */
export async function contentAt(
  deps: Deps,
  viewer: Viewer | null,
  url: string,
  host: string,
): Promise<
  { targetKind: 'post' | 'comment' | 'person' | 'message'; targetId: string; ownerId: string } | undefined
> {
  const address = contentAddress(url, [new URL(deps.settings.publicUrl).host, host])
  if (!address) return undefined
  const id =
    address.kind === 'message'
      ? viewer && (await findMessageAt(deps.db, viewer.id, address.personId, address.seq))
      : address.id
  if (!id) return undefined
  const place = { targetKind: address.kind, targetId: id, senderId: viewer?.id ?? null }
  const found = await targetOf(deps, deps.db, place)
  return found && { targetKind: address.kind, targetId: id, ownerId: found.ownerId }
}

async function targetOf(
  deps: Deps,
  db: Db,
  { targetKind, targetId, senderId }: Place,
): Promise<ReportedTarget | undefined> {
  if (targetKind === null || targetId === null) return undefined
  switch (targetKind) {
    case 'post':
      return postTarget(db, targetId, deps.clock())
    case 'comment':
      return commentTarget(db, targetId, deps.clock())
    case 'person':
      return personTarget(db, targetId)
    case 'message':
      return senderId === null ? undefined : messageTarget({ ...deps, db }, senderId, targetId)
    default:
      return targetKind satisfies never
  }
}

/** A published post of any type: who claims a right may not see it, and staff decide about all of it. */
async function postTarget(db: Db, id: string, now: number): Promise<ReportedTarget | undefined> {
  const [post] = await factsOfPosts(db, undefined, [id], now)
  if (!post || post.releasedAt === null || post.deletedAt !== null || post.author.state === 'gone')
    return undefined
  return { ownerId: post.author.id, quoted: { name: post.author.name, ...quotedRow(postColumns, post) } }
}

async function commentTarget(db: Db, id: string, now: number): Promise<ReportedTarget | undefined> {
  const comment = await findCommentText(db, id)
  if (!comment || !(await postTarget(db, comment.postId, now))) return undefined
  const author = (await findPeople(db, [comment.authorId])).get(comment.authorId)
  if (!author || author.state === 'gone') return undefined
  const quoted = { name: author.name, ...quotedRow(commentColumns, comment), post_id: comment.postId }
  return { ownerId: author.id, quoted }
}

async function personTarget(db: Db, id: string): Promise<ReportedTarget | undefined> {
  const user = await findUser(db, id)
  if (!user || user.deletedAt !== null) return undefined
  return { ownerId: id, quoted: quotedRow(accountColumns, user) }
}

/** Reports the content of a confirmed claim in its case. @returns the id of the report; null when the content is gone */
export async function fileInCase(deps: Deps, { tx }: Unit, inquiry: InquiryRecord): Promise<string | null> {
  const { kind, targetKind, targetId, senderId } = inquiry
  const target = await targetOf(deps, tx, inquiry)
  if (!target || targetKind === null || targetId === null) return null
  const now = deps.clock()
  const found = await lockCaseOf(tx, { targetKind, targetId, ownerId: target.ownerId }, now)
  const id = newId()
  await addReport(tx, {
    id,
    targetKind,
    targetId,
    ...target,
    reason: kind === 'copyright' ? 'copyright' : 'privacy',
    caseId: found.id,
    createdAt: new Date(now),
  })
  if (targetKind === 'message' && senderId !== null)
    await addCopies(tx, id, await copiesAround({ ...deps, db: tx }, senderId, targetId, id))
  await countReport(tx, found, now)
  return id
}
