// Submits an identity check exactly once: seals its uploads, and removes the plain files.
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
import { removePlainUploads } from './clear.ts'
import { type Attachment, documentKey, findAttachments } from './attachments.ts'
import { requireLegalName, requireMinAge, requireNoCurrentCheck } from './eligibility.ts'

interface Submission {
  readonly person: {
    readonly id: string
    readonly birthDate: string
    readonly email: string
    readonly name: string
  }
  readonly key: string
  readonly body: IdentityBody
}

interface SealedAttachment extends Attachment {
  readonly sealedKey: string
  /** Path of the sealed file until the transaction moves it. */
  readonly temporaryPath: string
}

export function checkView({ id, documentKind, submittedAt }: CheckRow) {
  return { id, document_kind: documentKind, submitted_at: submittedAt.toISOString() }
}

export async function submitCheck(deps: Deps, submission: Submission): Promise<CheckRow> {
  // A repeated request gets the first reply before any check of its body: its uploads no longer exist.
  const first = await findCheckByKey(deps.db, submission.person.id, submission.key)
  return first ?? (await submitNewCheck(deps, submission))
}

async function submitNewCheck(deps: Deps, submission: Submission): Promise<CheckRow> {
  const { person, body } = submission
  requireMinAge(person, deps.clock())
  await requireNoCurrentCheck(deps, person.id)
  await requireLegalName(deps, person.id)
  if (!partsFit(body.document_kind, body.back !== undefined))
    throw new ApiError('invalid', { back: body.back ? 'unsupported' : 'required' })
  const requested = await findUnusedPrompts(deps.db, body.prompts_id, person.id)
  if (!requested) throw new ApiError('invalid', { prompts_id: 'expired' })
  const attachments = await findAttachments(deps, person.id, body)
  // The upload of the recording must begin soon after these gestures were requested.
  const live = attachments.find(({ part }) => part === 'live')
  if (!live || live.uploadBeganAt < requested.createdAt || live.uploadBeganAt > requested.expiresAt)
    throw new ApiError('invalid', { prompts_id: 'expired' })
  await deps.storage.room.mustHave()
  const sealed = await sealAll(deps, attachments)
  try {
    const check: NewCheck = {
      id: newId(),
      userId: person.id,
      idempotencyKey: submission.key,
      documentKind: body.document_kind,
      prompts: requested.prompts,
      submittedAt: new Date(deps.clock()),
    }
    const row = await deps.transaction((unit) => storeCheck(deps, unit, submission, check, sealed))
    const ids = attachments.map(({ id }) => id)
    // The check is stored, even if this fails: the job of its transaction removes the files again.
    await removePlainUploads(deps, ids).catch(() => undefined)
    return row
  } finally {
    for (const { temporaryPath } of sealed) await deps.storage.scratch.remove(temporaryPath)
  }
}

async function sealAll(deps: Deps, attachments: readonly Attachment[]): Promise<SealedAttachment[]> {
  const { objects, scratch } = deps.storage
  const sealed: SealedAttachment[] = []
  try {
    for (const attachment of attachments) {
      const { id } = attachment
      const temporaryPath = scratch.newPath()
      const sealedKey = await objects.withLocal(documentKey(id), (plain) =>
        deps.sealed.seal(plain, temporaryPath, id),
      )
      sealed.push({ ...attachment, temporaryPath, sealedKey })
    }
    return sealed
  } catch (error) {
    for (const { temporaryPath } of sealed) await deps.storage.scratch.remove(temporaryPath)
    // Its owner removed the upload meanwhile, or a concurrent repetition of this request did.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ApiError('unavailable')
    throw error
  }
}

async function storeCheck(
  deps: Deps,
  { tx, enqueue, email }: Unit,
  { person, body }: Submission,
  check: NewCheck,
  sealed: readonly SealedAttachment[],
): Promise<CheckRow> {
  const added = await addCheckOnce(tx, check)
  if (!added) throw new ApiError('conflict')
  if (!added.fresh) return added.check
  const now = deps.clock()
  if (!(await spendPrompts(tx, body.prompts_id, person.id, now)))
    throw new ApiError('invalid', { prompts_id: 'expired' })
  const ids = sealed.map(({ id }) => id)
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
  // Last before the commit, so that every stored check has its files.
  for (const { id, temporaryPath } of sealed) await deps.storage.objects.put(`identity/${id}`, temporaryPath)
  return added.check
}
