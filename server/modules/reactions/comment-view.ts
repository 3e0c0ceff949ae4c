// How comments look to their viewer.
import type { CommentView } from '#contract/comments.ts'
import { handlesIn } from '#contract/mentions.ts'
import { type CommentFacts, type CommentRow, factsOfComments, showable } from '#server/store/comments.ts'
import type { Db } from '#server/store/database.ts'
import { findHandles } from '#server/store/handles.ts'
import { findPeople, type Person } from '#server/store/people.ts'
import { mentionViews } from '#server/views/mention-views.ts'
import { personView } from '#server/views/person-view.ts'

interface Context {
  readonly viewerId: string | undefined
  readonly postAuthorId: string
  readonly people: Map<string, Person>
  readonly facts: Map<string, CommentFacts>
  readonly handles: Map<string, string>
  /** Replies that are answered and can be seen themselves. */
  readonly answered: Map<string, CommentRow>
}

const nothing: CommentFacts = { likes: 0, replies: 0, liked: false, muted: false }

/** Views of comments the viewer may see, in the same order. `post`: the one they all stand below. */
export async function viewComments(
  db: Db,
  viewer: { readonly id: string } | null,
  post: { readonly authorId: string },
  rows: readonly CommentRow[],
): Promise<CommentView[]> {
  const ids = rows.map((row) => row.id)
  const viewerId = viewer?.id
  const answered = await showable(
    db,
    viewerId,
    rows.flatMap((row) => row.answersId ?? []),
  )
  const authors = [...rows, ...answered.values()].map((row) => row.authorId)
  const context: Context = {
    viewerId,
    postAuthorId: post.authorId,
    people: await findPeople(db, authors),
    facts: await factsOfComments(db, viewerId, ids),
    handles: await findHandles(
      db,
      rows.flatMap((row) => handlesIn(row.content)),
    ),
    answered,
  }
  return rows.map((row) => viewOf(row, context))
}

function viewOf(row: CommentRow, context: Context): CommentView {
  const { viewerId } = context
  const own = viewerId !== undefined && [row.authorId, context.postAuthorId].includes(viewerId)
  return {
    id: row.id,
    post_id: row.postId,
    parent_id: row.parentId,
    created_at: row.createdAt.toISOString(),
    replies: (context.facts.get(row.id) ?? nothing).replies,
    deletable: own && row.deletedAt === null,
    body: bodyOf(row, context),
  }
}

function bodyOf(row: CommentRow, { people, facts, handles, answered }: Context): CommentView['body'] {
  const author = people.get(row.authorId)
  if (row.deletedAt !== null || !author) return { is: 'deleted' }
  const { likes, liked, muted } = facts.get(row.id) ?? nothing
  const answer = answered.get(row.answersId ?? '')
  const answers = answer?.deletedAt === null ? people.get(answer.authorId) : undefined
  return {
    is: 'shown',
    author: personView(author),
    content: row.content,
    mentions: mentionViews(row.content, handles),
    likes,
    liked,
    answers: answers ? personView(answers) : null,
    muted,
  }
}
