// Draft changes that are not in the database yet: local storage is written before a page ends.
import * as v from 'valibot'
import { copyOf, editDraft } from '#device/drafts/draft-edits.ts'
import type { DraftForm } from '#device/drafts/draft-merge.ts'
import { draftRow, type Draft } from '#device/database/schema.ts'
import { ownNames, ownNote } from '#src/domain/drafts/own-notes.ts'

const PREFIX = 'draft.'
const formRow = v.pick(draftRow, ['content', 'type', 'planIds', 'price', 'isAgeLimited', 'keepSize'])
const note = v.object({ base: formRow, draft: draftRow })

/** A draft as it was shown, and the form of the stored version it was made from. */
export interface UnsavedDraft {
  base: DraftForm
  draft: Draft
}

export interface DraftNotes {
  keep: (unsaved: UnsavedDraft) => void
  drop: (draftId: string) => void
}

export const draftNotes = (ownerId: string): DraftNotes => ({
  keep: (unsaved) => ownNote(ownerId, PREFIX + unsaved.draft.id, note).save(unsaved),
  drop: (draftId) => ownNote(ownerId, PREFIX + draftId, note).drop(),
})

/** Stores what pages that are gone could not store any more. What another tab has overtaken becomes a draft of its own. */
export async function recoverDrafts(ownerId: string): Promise<void> {
  for (const name of ownNames(ownerId, PREFIX)) {
    const place = ownNote(ownerId, name, note)
    const unsaved = place.read()
    if (!unsaved || unsaved.draft.ownerId !== ownerId) continue
    const now = Date.now()
    const end = await editDraft(unsaved.base, unsaved.draft, now)
    if (end.is === 'conflict' || end.is === 'submitted') {
      const copy = copyOf(unsaved.draft, now)
      await editDraft(copy, copy, now)
    }
    if (end.is !== 'unreadable') place.drop()
  }
}
