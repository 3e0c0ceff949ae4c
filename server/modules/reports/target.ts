// What is reported: whose it is and its words, as the server has them now; nothing that the reporter cannot see.
import { MAX_CONTENT } from '#contract/limits.ts'
import type { ReportKind } from '#contract/posts/reports.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import type { Deps } from '#server/deps.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { findPeople, findUser } from '#server/store/people/people.ts'
import { relationsOf } from '#server/store/people/relations.ts'
import { findCommentText } from '#server/store/reactions/reports.ts'
import { decisionOn } from '#server/services/posts/post-decision.ts'

export interface Target {
  readonly ownerId: string
  /** A copy: later changes and deletions do not affect it. */
  readonly quoted: Readonly<Record<string, string>>
}

/** @returns undefined for what is not there for this viewer, and for what is their own */
export async function findTarget(
  deps: Deps,
  viewer: Viewer,
  kind: ReportKind,
  id: string,
): Promise<Target | undefined> {
  const target = await found(deps, viewer, kind, id)
  return target?.ownerId === viewer.id ? undefined : target
}

function found(deps: Deps, viewer: Viewer, kind: ReportKind, id: string): Promise<Target | undefined> {
  switch (kind) {
    case 'post':
      return postTarget(deps, viewer, id)
    case 'comment':
      return commentTarget(deps, viewer, id)
    case 'person':
      return personTarget(deps, viewer, id)
    default:
      return kind satisfies never
  }
}

/** Texts from before the size limits may be larger than a report holds. */
const quotable = (text: string): string => text.slice(0, bytesFor(MAX_CONTENT)).toWellFormed()

/** The decision needs the whole text, whatever the reporter may read of it; they are never shown it again. */
async function postTarget(deps: Deps, viewer: Viewer, id: string): Promise<Target | undefined> {
  const { db, clock } = deps
  const it = await decisionOn(db, viewer, id, clock())
  if (!it || it.post.releasedAt === null) return undefined
  const { author, content } = it.post
  return { ownerId: author.id, quoted: { name: author.name, content: quotable(content) } }
}

async function commentTarget(deps: Deps, viewer: Viewer, id: string): Promise<Target | undefined> {
  const { db, clock } = deps
  const said = await findCommentText(db, id)
  const it = said && (await decisionOn(db, viewer, said.postId, clock()))
  if (!said || it?.decision.is !== 'full') return undefined
  const author = (await findPeople(db, [said.authorId])).get(said.authorId)
  const apart = (await blockedAmong(db, viewer.id, [said.authorId])).size > 0
  if (author?.state !== 'present' || apart) return undefined
  return {
    ownerId: said.authorId,
    quoted: { name: author.name, content: quotable(said.content), post_id: said.postId },
  }
}

/** A person may report people they blocked; for a blocked person the other does not exist. */
async function personTarget({ db }: Deps, viewer: Viewer, id: string): Promise<Target | undefined> {
  const person = (await findPeople(db, [id])).get(id)
  const relation = (await relationsOf(db, viewer.id, [id])).get(id)
  const user = await findUser(db, id)
  if (person?.state !== 'present' || !user || !relation || relation.blockedBy) return undefined
  const { name, handle, bio, links } = user
  return { ownerId: id, quoted: { name, handle: handle ?? '', bio, links: links.join('\n') } }
}
