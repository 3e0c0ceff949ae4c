// Removes plain uploads of submitted identity checks, expired documents, and files without a row.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { DOCUMENTS_STORED_MS } from '#server/rules/identity.ts'
import { logErasure } from '#server/services/backup/erasure-log.ts'
import { knownCheckFiles, removeCheckFile, removeDecidedFiles } from '#server/store/identity/identity.ts'
import { removePromptsBefore } from '#server/store/identity/prompts.ts'
import { isDocument, uploadPrefixes } from '#server/store/media/upload-keys.ts'
import { findUploads } from '#server/store/media/uploads.ts'

const DAY = 24 * 3600 * 1000
/** Prompts stay stored for a queue that is offline for long. The start of an upload decides whether it was in time. */
const PROMPTS_STORED_MS = 30 * DAY

/**
 * Removes the plain bytes of uploads that a check has as sealed files, also where a server before decision 110 stored them. It can
 * be repeated.
 */
export async function removePlainUploads({ db, storage }: Deps, uploadIds: readonly string[]): Promise<void> {
  // An id that has an upload row again belongs to another upload.
  const reused = await findUploads(db, uploadIds)
  for (const id of uploadIds.filter((it) => !reused.has(it)))
    for (const prefix of uploadPrefixes) await storage.objects.remove(`${prefix}/${id}`, 'at_once')
}

/** The hourly sweep. Decision 021 sets how long documents are stored. */
export async function sweepIdentity(deps: Deps): Promise<void> {
  const { db, clock, storage } = deps
  const now = clock()
  for (const state of ['approved', 'rejected'] as const) {
    const removed = await removeDecidedFiles(db, state, now - DOCUMENTS_STORED_MS[state])
    for (const id of removed) await removeDocument(storage, id)
  }
  await removePromptsBefore(db, now - PROMPTS_STORED_MS)
  await removePlain(deps)
  await removeOrphans(deps, now)
}

/**
 * Removes plain files that a job did not remove: one that was dropped, or that has failed as often as it may.
 */
async function removePlain(deps: Deps): Promise<void> {
  for (const prefix of uploadPrefixes)
    for await (const page of deps.storage.objects.list(prefix)) {
      const ids = idsIn(page)
      await removePlainUploads(deps, [...(await knownCheckFiles(deps.db, ids))])
      if (prefix === 'uploads') await removeMisplaced(deps, ids)
    }
}

/**
 * Removes documents that a server before decision 110 stored among the uploads of posts. They have a row and are not submitted; their
 * device sends them again from the first byte.
 */
async function removeMisplaced({ db, storage }: Deps, ids: readonly string[]): Promise<void> {
  for (const [id, row] of await findUploads(db, ids))
    if (isDocument(row)) await storage.objects.remove(`uploads/${id}`, 'at_once')
}

/** Removes sealed files that have no row after a day. A younger one may belong to a transaction under way. */
async function removeOrphans({ db, storage }: Deps, now: number): Promise<void> {
  for await (const page of storage.objects.list('identity')) {
    const known = await knownCheckFiles(db, idsIn(page))
    for (const { name, modifiedAt } of page) {
      if (known.has(name)) continue
      const at = await modifiedAt()
      if (at !== undefined && now - at > DAY) await removeDocument(storage, name)
    }
  }
}

/** Removes a document again that a restored backup has. @returns whether it had a row */
export async function removeDocumentAgain({ db, storage }: Deps, id: string): Promise<boolean> {
  const removed = await removeCheckFile(db, id)
  await removeDocument(storage, id)
  return removed
}

/** The log comes first: a restored backup then loses the document again. */
async function removeDocument(storage: Deps['storage'], id: string): Promise<void> {
  if (v.is(idSchema, id)) await logErasure(storage, { is: 'document', id })
  await storage.objects.remove(`identity/${id}`, 'at_once')
}

const idsIn = (page: readonly { readonly name: string }[]) =>
  page.map(({ name }) => name).filter((name) => /^[0-9a-f-]{36}$/.test(name))
