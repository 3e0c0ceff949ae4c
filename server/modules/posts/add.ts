// Adding a post exactly once, however often the request arrives.
import { newId } from '#contract/ids.ts'
import type { AddPost } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { checkStored, checkUsage } from '#server/services/uploads/quota.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import { compose, type Placed } from '#server/rules/composition.ts'
import { awaitMedia, awaitUpload } from '#server/store/posts/chunked.ts'
import type { Db } from '#server/store/database.ts'
import { queueOf } from '#server/store/jobs.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { ownPlanIds } from '#server/store/posts/plans.ts'
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
import { mustBeIdentifiedFor } from './identity-gate.ts'
import { checkDigests, type FilePiece, gatherPieces } from './attachments.ts'

export interface Adding {
  readonly authorId: string
  readonly key: string | undefined
  readonly body: AddPost
  readonly files: readonly ReceivedFile[]
}

export interface Added {
  readonly id: string
  readonly videoId: string | null
}

export async function addPostFlow(deps: Deps, adding: Adding): Promise<Added> {
  // A repeat is answered before anything is checked: a plan or an upload may be gone by now, the post is not.
  const first =
    adding.key === undefined ? undefined : await findPostByKey(deps.db, adding.authorId, adding.key)
  if (first?.isDeleted) throw new ApiError('post_deleted')
  const id = first?.id ?? (await addNew(deps, adding))
  return { id, videoId: await findVideoOf(deps.db, id) }
}

async function addNew(deps: Deps, adding: Adding): Promise<string> {
  const { authorId, body } = adding
  await mustBeIdentifiedFor(deps.db, authorId, body.type)
  await checkPlans(deps.db, authorId, body)
  const pieces = await gatherPieces(deps, authorId, body, adding.files)
  const composed = compose(body.content, pieces)
  if (composed.is === 'refused') throw new ApiError('invalid', composed.fields)
  if (body['image_alt[]'].length > composed.placed.filter((it) => it.role === 'image').length)
    throw new ApiError('invalid', { 'image_alt[]': 'malformed' })
  await checkDigests(deps, body, pieces)
  const kept = pieces.filter((it) => composed.placed.some((placed) => placed.id === it.id))
  const { id } = await withInlineFiles(deps, kept, () => write(deps, adding, kept, composed.placed))
  return id
}

async function checkPlans(db: Db, authorId: string, body: AddPost): Promise<void> {
  if (body.type !== 2) return
  const own = await ownPlanIds(db, authorId, body['plan_id[]'])
  if (body['plan_id[]'].some((id) => !own.has(id)))
    throw new ApiError('invalid', { 'plan_id[]': 'unknown_plan' })
}

/** Inline files are stored durably before the transaction that names them commits. */
async function withInlineFiles(
  deps: Deps,
  pieces: readonly FilePiece[],
  insert: () => Promise<{ id: string; fresh: boolean }>,
): Promise<{ id: string; fresh: boolean }> {
  const moved: string[] = []
  const takeBack = () => Promise.all(moved.map((path) => deps.files.remove(path)))
  try {
    for (const { id, inline } of pieces) {
      if (!inline) continue
      const path = deps.files.uploadPath(id)
      moved.push(path)
      await deps.files.moveDurably(inline.path, path)
    }
    const done = await insert()
    if (!done.fresh) await takeBack()
    return done
  } catch (error) {
    await takeBack()
    throw error
  }
}

function write(
  deps: Deps,
  { authorId, key, body }: Adding,
  pieces: readonly FilePiece[],
  placed: readonly Placed[],
): Promise<{ id: string; fresh: boolean }> {
  const now = deps.clock()
  const post: NewPost = {
    id: newId(),
    authorId,
    idempotencyKey: key ?? null,
    type: body.type,
    content: body.content,
    isAgeLimited: body.is_age_limited,
    price: body.type === 3 ? (body.price ?? null) : null,
  }
  return deps.transaction(async ({ tx, enqueue }) => {
    const made = await addPostOnce(tx, post, now)
    if (!made.fresh) return made
    if (key !== undefined && (await isWithdrawn(tx, authorId, key))) throw new ApiError('gone')
    await holdPieces(deps, tx, { authorId, body }, pieces, now)
    await attachMedia(tx, post.id, described(placed, body['image_alt[]']))
    if (body.type === 2) await attachPlans(tx, post.id, [...new Set(body['plan_id[]'])])
    for (const { id, kind, awaited } of pieces) if (!awaited) await enqueue(queueOf(kind), { mediaId: id })
    return made
  })
}

/** Images get what is said of them in their order; one of which nothing is said gets ''. */
function described(placed: readonly Placed[], alts: readonly string[]): PostMediaRow[] {
  const images = placed.filter((it) => it.role === 'image')
  return placed.map((it) => ({
    mediaId: it.id,
    role: it.role,
    position: it.position,
    alt: alts[images.indexOf(it)] ?? '',
  }))
}

async function holdPieces(
  { settings }: Deps,
  tx: Db,
  { authorId: ownerId, body }: Pick<Adding, 'authorId' | 'body'>,
  pieces: readonly FilePiece[],
  now: number,
): Promise<void> {
  for (const { id, size, inline, awaited } of pieces) {
    const metadata = inline ? { filename: inline.filename } : {}
    if (inline) await claimUpload(tx, { id, ownerId, length: size, metadata, whole: true }, now)
    if (!awaited) continue
    await claimUpload(tx, { id, ownerId, length: null, metadata }, now)
    await awaitUpload(tx, id, body.video_digest ?? null)
    await checkUsage(tx, ownerId, settings.uploadsPerPerson)
  }
  if (pieces.some((it) => it.inline)) await checkStored(tx, ownerId, settings.uploadsPerPerson)
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
