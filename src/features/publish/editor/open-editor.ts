// Opens the editor of a draft from the device.
import { emptyDraft, findDraft, listDrafts } from '#device/drafts/drafts.ts'
import type { Draft } from '#device/database/schema.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import { byteForm } from '#device/files/byte-form.ts'
import { loadRecognition } from '#src/domain/media/prepare/kind.ts'
import { DraftEditor } from './draft-editor.ts'
import { recoverDrafts } from './draft-notes.ts'

/**
 * Opens the requested draft, else the last changed one of this protocol, else a new one.
 * @param wanted a draft's id; an unused id becomes the new draft's
 */
export async function openEditor(ownerId: string, protocol: Protocol, wanted?: string): Promise<DraftEditor> {
  await recoverDrafts(ownerId).catch((error: unknown) => console.warn('unsaved drafts stay as notes', error))
  const editor = new DraftEditor(await draftOf(ownerId, protocol, wanted))
  await editor.reload()
  // What the first pick would wait for.
  void Promise.all([loadRecognition(), byteForm()]).catch(() => undefined)
  return editor
}

async function draftOf(ownerId: string, protocol: Protocol, wanted?: string): Promise<Draft> {
  const fresh = emptyDraft(ownerId, Date.now(), protocol)
  if (!wanted) return (await listDrafts(ownerId)).find((it) => it.protocol === protocol) ?? fresh
  // In one transaction: another editor of the same address may be storing the draft now.
  const found = await findDraft(wanted, ownerId)
  if (found.is === 'stored') return found.draft
  return found.is === 'none' ? { ...fresh, id: wanted } : fresh
}
