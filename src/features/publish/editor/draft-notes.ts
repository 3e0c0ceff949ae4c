// Draft changes that are not in the database yet, stored in local storage.
import * as v from 'valibot'
import { copyOf, editDraft } from '#device/drafts/draft-edits.ts'
import type { DraftForm } from '#device/drafts/draft-merge.ts'
import { draftRow, type Draft } from '#device/database/schema.ts'
import { ownNames, ownNote } from '#src/domain/drafts/own-notes.ts'

const PREFIX = 'draft.'
const formRow = v.pick(draftRow, [
  'content',
  'title',
  'introduction',
  'type',
  'planIds',
  'price',
  'isAgeLimited',
  'commentsClosed',
  'declaredFilm',
  'keepSize',
])
const schema = v.object({ base: formRow, draft: draftRow })

/** A displayed draft, and the form of the stored version from which it was made. */
export interface UnsavedDraft {
  base: DraftForm
  draft: Draft
}

export interface DraftNotes {
  save: (unsaved: UnsavedDraft) => void
  remove: (draftId: string) => void
}

export const draftNotes = (ownerId: string): DraftNotes => ({
  save: (unsaved) => ownNote(ownerId, PREFIX + unsaved.draft.id, schema).save(unsaved),
  remove: (draftId) => ownNote(ownerId, PREFIX + draftId, schema).remove(),
})

/** Stores changes of closed pages. Changes in conflict with the stored draft become a separate draft. */
export async function recoverDrafts(ownerId: string): Promise<void> {
  for (const name of ownNames(ownerId, PREFIX)) {
    const persisted = ownNote(ownerId, name, schema)
    const unsaved = persisted.read()
    if (!unsaved || unsaved.draft.ownerId !== ownerId) continue
    const now = Date.now()
    const end = await editDraft(unsaved.base, unsaved.draft, now)
    if (end.is === 'conflict' || end.is === 'submitted') {
      const copy = copyOf(unsaved.draft, now)
      await editDraft(copy, copy, now)
    }
    if (end.is !== 'unreadable') persisted.remove()
  }
}
