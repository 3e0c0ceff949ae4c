// Sending a check exactly once: its uploads are sealed, and the plain ones are gone when it is answered.
import { randomBytes } from 'node:crypto'
import { newId } from '#contract/ids.ts'
import type { IdentityBody } from '#contract/identity/identity.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { partsFit } from '#server/rules/identity.ts'
import {
  addCheckFiles,
  addCheckOnce,
  type CheckRow,
  findCheckByKey,
  type NewCheck,
  takeUploads,
} from '#server/store/identity/identity.ts'
import { findUnusedPrompts, spendPrompts } from '#server/store/identity/prompts.ts'
import { clearPlain } from './clear.ts'
import { gatherPieces, type Piece } from './attachments.ts'
import { mustBeFree, mustBeOfAge } from './standing.ts'

interface Submitting {
  readonly person: {
    readonly id: string
    readonly birthDate: string
    readonly email: string
    readonly name: string
  }
  readonly key: string
  readonly body: IdentityBody
}

interface SealedPiece extends Piece {
  readonly sealedKey: string
  /** Where it waits for the transaction that names it. */
  readonly waiting: string
}

export function sentView({ id, documentKind, submittedAt }: CheckRow) {
  return { id, document_kind: documentKind, submitted_at: submittedAt.toISOString() }
}

export async function submitFlow(deps: Deps, it: Submitting): Promise<CheckRow> {
  // A repeat is answered before anything is checked: its uploads are sealed and gone by now.
  const first = await findCheckByKey(deps.db, it.person.id, it.key)
  return first ?? (await submitNew(deps, it))
}

async function submitNew(deps: Deps, it: Submitting): Promise<CheckRow> {
  const { person, body } = it
  mustBeOfAge(person, deps.clock())
  await mustBeFree(deps, person.id)
  if (!partsFit(body.document_kind, body.back !== undefined))
    throw new ApiError('invalid', { back: body.back ? 'unsupported' : 'required' })
  const asked = await findUnusedPrompts(deps.db, body.prompts_id, person.id)
  if (!asked) throw new ApiError('invalid', { prompts_id: 'expired' })
  const pieces = await gatherPieces(deps, person.id, body)
  // The recording must be of these gestures: begun soon after their request.
  const live = pieces.find((piece) => piece.part === 'live')
  if (!live || live.begunAt < asked.createdAt || live.begunAt > asked.expiresAt)
    throw new ApiError('invalid', { prompts_id: 'expired' })
  await deps.files.room.mustHave()
  const sealed = await sealAll(deps, pieces)
  try {
    const check: NewCheck = {
      id: newId(),
      userId: person.id,
      idempotencyKey: it.key,
      documentKind: body.document_kind,
      prompts: asked.prompts,
      submittedAt: new Date(deps.clock()),
    }
    const row = await deps.transaction((unit) => write(deps, unit, it, check, sealed))
    const ids = pieces.map((piece) => piece.id)
    // The check is in whatever happens here; the job of its transaction does this again after a crash.
    await clearPlain(deps, ids).catch(() => undefined)
    return row
  } finally {
    for (const { waiting } of sealed) await deps.files.remove(waiting)
  }
}

async function sealAll(deps: Deps, pieces: readonly Piece[]): Promise<SealedPiece[]> {
  const sealed: SealedPiece[] = []
  try {
    for (const piece of pieces) {
      const waiting = `${deps.files.sealedPath(piece.id)}.${randomBytes(6).toString('hex')}`
      const sealedKey = await deps.sealed.seal(deps.files.uploadPath(piece.id), waiting, piece.id)
      sealed.push({ ...piece, waiting, sealedKey })
    }
    return sealed
  } catch (error) {
    for (const { waiting } of sealed) await deps.files.remove(waiting)
    // Removed by its owner, or sealed by the same request sent twice, while we were reading it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ApiError('unavailable')
    throw error
  }
}

async function write(
  deps: Deps,
  { tx, enqueue, email }: Unit,
  { person, body }: Submitting,
  check: NewCheck,
  sealed: readonly SealedPiece[],
): Promise<CheckRow> {
  const added = await addCheckOnce(tx, check)
  if (!added) throw new ApiError('conflict')
  if (!added.fresh) return added.check
  const now = deps.clock()
  if (!(await spendPrompts(tx, body.prompts_id, person.id, now)))
    throw new ApiError('invalid', { prompts_id: 'expired' })
  const ids = sealed.map((piece) => piece.id)
  if ((await takeUploads(tx, ids, person.id)) !== ids.length)
    throw new ApiError('invalid', { live: 'unknown_upload' })
  const files = sealed.map(({ id, part, mime, length, sealedKey }) => ({
    id,
    checkId: check.id,
    part,
    mime,
    length,
    sealedKey,
    createdAt: new Date(now),
  }))
  if (!(await addCheckFiles(tx, files))) throw new ApiError('conflict')
  await email(person, { is: 'identity_received' })
  await enqueue('identity.clear', { uploadIds: ids })
  // Last, and before the commit: a check whose row is there has its files.
  for (const { id, waiting } of sealed) await deps.files.moveDurably(waiting, deps.files.sealedPath(id))
  return added.check
}
