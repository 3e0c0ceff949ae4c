// Changes and deletes released posts for their authors. Buyers do not lose access (decision 027).
import { postChannel } from '#contract/realtime/channels.ts'
import type { Audience } from '#contract/posts/own-posts.ts'
import { isInvisible } from '#contract/text/text-rule.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Db } from '#server/store/database.ts'
import { hasMedia, isSold, lockOwnPost, setPost, setPostPlans } from '#server/store/posts/own-posts.ts'
import { keepVersion } from '#server/store/posts/post-versions.ts'
import { addDeclaration, lacksDeclaration } from '#server/store/posts/film-declarations.ts'
import { ownPlanIds } from '#server/store/plans/plans.ts'
import { plansOpening, type PostRow, type PostTexts } from '#server/store/posts/posts.ts'
import { allTextsOf } from '#server/rules/post-texts.ts'
import { endHold } from '#server/store/moderation/holds.ts'
import { operatorWordIn } from '#server/services/holds/found.ts'
import { holdPost } from '#server/services/holds/hold.ts'
import { reindexPost } from '#server/services/search/search-index.ts'
import { mustBeIdentifiedFor } from './identity-gate.ts'
import { notifyMentioned } from './mentions.ts'

interface Change {
  readonly content?: string | undefined
  readonly title?: string | undefined
  readonly introduction?: string | undefined
  readonly audience?: Audience | undefined
  readonly comments_closed?: boolean | undefined
  readonly film_declaration?: number | undefined
}

export async function changeFlow(
  deps: Deps,
  postId: string,
  authorId: string,
  { audience, comments_closed: commentsClosed, film_declaration: declared, ...texts }: Change,
): Promise<void> {
  const { transaction, clock } = deps
  await transaction(async (unit) => {
    const { tx, endConnections } = unit
    const post = await lockOwnPost(tx, postId, authorId)
    if (!post || post.deletedAt !== null || isUnreleased(post)) throw new ApiError('not_found')
    const written = writtenIn(post, texts)
    const isEdited = JSON.stringify(written) !== JSON.stringify(writtenIn(post, {}))
    if (isEdited) await changeTexts(tx, post, written, clock())
    if (commentsClosed !== undefined) await setPost(tx, post.id, { commentsClosed })
    if (declared !== undefined) await addDeclaration(tx, post.id, declared, clock())
    if (audience) await changeAudience(tx, post, audience, clock())
    if (audience) endConnections({ is: 'channel', channel: postChannel(post.id) })
    const found = isEdited ? await operatorWordIn(tx, allTextsOf(written), allTextsOf(post)) : undefined
    if (found && (await holdPost(unit, post, found, { isNew: false, now: clock() }))) return
    await reindexPost(tx, post.id)
    if (written.content !== post.content)
      await notifyMentioned(deps, unit, { postId, by: authorId, before: post.content })
  })
}

/** A held post is released for its author, who may change and delete it. */
const isUnreleased = ({ releasedAt, heldAt }: PostRow): boolean => releasedAt === null && heldAt === null

type Texts = Pick<Change, keyof PostTexts>

/** The texts of the post with what is changed of them. */
const writtenIn = (post: PostRow, { content, title, introduction }: Texts): PostTexts => ({
  content: content ?? post.content,
  title: title ?? post.title,
  introduction: introduction ?? post.introduction,
})

async function changeTexts(tx: Db, post: PostRow, texts: PostTexts, now: number): Promise<void> {
  const isEmptied = texts.content !== post.content && isInvisible(texts.content)
  if (isEmptied && !(await hasMedia(tx, post.id))) throw new ApiError('invalid', { content: 'empty_post' })
  await keepVersion(tx, post.id, now)
  await setPost(tx, post.id, { ...texts, editedAt: new Date(now) })
}

async function changeAudience(tx: Db, post: PostRow, audience: Audience, now: number): Promise<void> {
  // A new price or new plans of a published plan or priced post need no identity check.
  if (audience.type !== post.type) await mustBeIdentifiedFor(tx, post.authorId, audience.type)
  const planIds = audience.type === 2 ? audience.plan_ids : []
  const own = await ownPlanIds(tx, post.authorId, planIds, now)
  // A plan that opens the post already may have ended since.
  const opening = (await plansOpening(tx, [post.id])).get(post.id) ?? []
  if (planIds.some((id) => !own.has(id) && !opening.includes(id)))
    throw new ApiError('invalid', { plan_ids: 'unknown_plan' })
  // Plans open a post of type 2, purchases do not.
  if (audience.type === 2 && post.type !== 2 && (await isSold(tx, post.id))) throw new ApiError('sold')
  await setPost(tx, post.id, { type: audience.type, price: audience.type === 3 ? audience.price : null })
  await setPostPlans(tx, post.id, planIds)
  // What was sold before goes on; what is sold from now on needs the declaration.
  if (post.type === 1 && (await lacksDeclaration(tx, post.id)))
    throw new ApiError('invalid', { film_declaration: 'required' })
}

export async function deleteFlow(
  { transaction, clock }: Deps,
  postId: string,
  authorId: string,
): Promise<void> {
  await transaction(async ({ tx, endConnections }) => {
    const post = await lockOwnPost(tx, postId, authorId)
    if (!post || isUnreleased(post)) throw new ApiError('not_found')
    if (post.deletedAt !== null) return
    if (await isSold(tx, post.id)) throw new ApiError('sold')
    await setPost(tx, post.id, { deletedAt: new Date(clock()) })
    await endHold(tx, { targetKind: 'post', targetId: post.id }, 'withdrawn', clock())
    endConnections({ is: 'channel', channel: postChannel(post.id) })
    await reindexPost(tx, post.id)
  })
}
