// Adds a post exactly once, however often its request arrives.
import { newId } from '#contract/ids.ts'
import { filmDeclarations } from '#contract/posts/film-declaration.ts'
import type { AddPost } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { spendOfNew } from '#server/services/holds/pace.ts'
import { withStoredFiles } from '#server/services/media/stored-files.ts'
import { checkUploadSize, spendLimit } from '#server/services/runtime/limits.ts'
import { checkStored, checkUsage, type UploadLimits } from '#server/services/uploads/quota.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import { compose, type Placed } from '#server/rules/composition.ts'
import { awaitMedia, awaitUpload } from '#server/store/posts/chunked.ts'
import { addDeclaration } from '#server/store/posts/film-declarations.ts'
import type { Db } from '#server/store/database.ts'
import { queueOf } from '#server/store/jobs.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { ownPlanIds } from '#server/store/plans/plans.ts'
import {
  addPostOnce,
  attachMedia,
  attachPlans,
  findPostByKey,
  findVideoOf,
  type NewPost,
  type PostMediaRow,
} from '#server/store/posts/posts.ts'
import { isWithdrawn } from '#server/store/posts/unreleased.ts'
import { claimUpload } from '#server/store/media/uploads.ts'
import { storeLostFiles } from './added-again.ts'
import { mustBeIdentifiedFor } from './identity-gate.ts'
import { checkDigests, type FilePiece, gatherPieces } from './attachments.ts'

export interface AddRequest {
  readonly authorId: string
  readonly key: string | undefined
  readonly body: AddPost
  readonly files: readonly ReceivedFile[]
}

export interface AddedPost {
  readonly id: string
  readonly videoId: string | null
}

export async function addPostFlow(deps: Deps, request: AddRequest): Promise<AddedPost> {
  // A repeated request is answered before any check: its plan or uploads may no longer exist, but its post does.
  const existing =
    request.key === undefined ? undefined : await findPostByKey(deps.db, request.authorId, request.key)
  if (existing?.isDeleted) throw new ApiError('post_deleted')
  if (existing) deps.metrics.repeated('post')
  if (existing?.isUnreleased) await storeLostFiles(deps, existing.id, request)
  const id = existing?.id ?? (await addNew(deps, request))
  return { id, videoId: await findVideoOf(deps.db, id) }
}

/** Bytes of what the author picked. Thumbnails and first frames do not count: the app makes them after it has checked the sum. */
function pickedBytes(pieces: readonly { id: string; size: number }[], placed: readonly Placed[]): number {
  const isPicked = (id: string) =>
    placed.some((it) => it.id === id && (it.role === 'image' || it.role === 'video'))
  return pieces.reduce((sum, { id, size }) => sum + (isPicked(id) ? size : 0), 0)
}

async function addNew(deps: Deps, request: AddRequest): Promise<string> {
  const { authorId, body } = request
  await mustBeIdentifiedFor(deps.db, authorId, body.type)
  await checkPlans(deps, authorId, body)
  const { film_declaration: declared } = body
  if (declared !== undefined && !(declared in filmDeclarations))
    throw new ApiError('invalid', { film_declaration: 'malformed' })
  const pieces = await gatherPieces(deps, authorId, body, request.files)
  const composed = compose(body.content, pieces)
  if (composed.is === 'refused') throw new ApiError('invalid', composed.fields)
  await checkUploadSize(deps, authorId, pickedBytes(pieces, composed.placed))
  if (body['image_alt[]'].length > composed.placed.filter((it) => it.role === 'image').length)
    throw new ApiError('invalid', { 'image_alt[]': 'malformed' })
  await checkDigests(deps, body, pieces)
  await spendOfNew(deps, authorId, 'posts')
  const used = pieces.filter((it) => composed.placed.some((placed) => placed.id === it.id))
  await spendLimit(deps, 'posts_per_day', authorId)
  const limits = await deps.runtime.uploadLimits()
  const inline = used.flatMap((it) =>
    it.inline ? [{ key: `uploads/${it.id}` as const, file: it.inline.path }] : [],
  )
  const { id, fresh } = await withStoredFiles(deps.storage.objects, inline, {
    transaction: () => insertPost(deps, request, { pieces: used, placed: composed.placed, limits }),
    refersTo: (inserted) => inserted.fresh,
  })
  if (!fresh) deps.metrics.repeated('post')
  return id
}

async function checkPlans({ db, clock }: Deps, authorId: string, body: AddPost): Promise<void> {
  if (body.type !== 2) return
  const own = await ownPlanIds(db, authorId, body['plan_id[]'], clock())
  if (body['plan_id[]'].some((id) => !own.has(id)))
    throw new ApiError('invalid', { 'plan_id[]': 'unknown_plan' })
}

/** Files of a post in their places, and the limits of its author's files. */
interface Composed {
  readonly pieces: readonly FilePiece[]
  readonly placed: readonly Placed[]
  readonly limits: UploadLimits
}

function insertPost(
  deps: Deps,
  { authorId, key, body }: AddRequest,
  { pieces, placed, limits }: Composed,
): Promise<{ id: string; fresh: boolean }> {
  const now = deps.clock()
  const post: NewPost = {
    id: newId(),
    authorId,
    idempotencyKey: key ?? null,
    type: body.type,
    content: body.content,
    title: body.title,
    introduction: body.introduction,
    isAgeLimited: body.is_age_limited,
    commentsClosed: body.comments_closed,
    price: body.type === 3 ? (body.price ?? null) : null,
  }
  return deps.transaction(async ({ tx, enqueue }) => {
    const inserted = await addPostOnce(tx, post, now)
    if (!inserted.fresh) return inserted
    if (key !== undefined && (await isWithdrawn(tx, authorId, key))) throw new ApiError('gone')
    await holdPieces(tx, { authorId, body }, { pieces, limits }, now)
    await attachMedia(tx, post.id, mediaRows(placed, body['image_alt[]']))
    const { film_declaration: declared } = body
    if (declared !== undefined) await addDeclaration(tx, post.id, declared, now)
    if (body.type === 2) await attachPlans(tx, post.id, [...new Set(body['plan_id[]'])])
    for (const { id, kind, awaited } of pieces) if (!awaited) await enqueue(queueOf(kind), { mediaId: id })
    return inserted
  })
}

/** Rows of the post's media. Descriptions belong to the images in their order; a missing one is ''. */
function mediaRows(placed: readonly Placed[], alts: readonly string[]): PostMediaRow[] {
  const images = placed.filter((it) => it.role === 'image')
  return placed.map((it) => ({
    mediaId: it.id,
    role: it.role,
    position: it.position,
    alt: alts[images.indexOf(it)] ?? '',
  }))
}

async function holdPieces(
  tx: Db,
  { authorId: ownerId, body }: Pick<AddRequest, 'authorId' | 'body'>,
  { pieces, limits }: Pick<Composed, 'pieces' | 'limits'>,
  now: number,
): Promise<void> {
  for (const { id, size, inline, awaited } of pieces) {
    const metadata = inline ? { filename: inline.filename } : {}
    if (inline) await claimUpload(tx, { id, ownerId, length: size, metadata, whole: true }, now)
    if (!awaited) continue
    await claimUpload(tx, { id, ownerId, length: null, metadata }, now)
    await awaitUpload(tx, id, body.video_digest ?? null)
    await checkUsage(tx, ownerId, limits)
  }
  if (pieces.some((it) => it.inline)) await checkStored(tx, ownerId, limits)
  const held = pieces.map(({ id, kind, mime }) => ({
    id,
    kind,
    mime,
    duration: kind === 'video' ? (body.video_duration ?? null) : null,
  }))
  const taken = await holdUploads(tx, held, now)
  if (taken.length > 0)
    throw new ApiError('conflict', Object.fromEntries(taken.map((id) => [id, 'unknown_upload'])))
  for (const { id, awaited } of pieces) if (awaited) await awaitMedia(tx, id)
}
