// Picks a file in its own editor, and publishes it if asked (/dev/media).
import { discardDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { DraftEditor } from '#src/features/publish/editor/draft-editor.ts'
import type { EditorState } from '#src/features/publish/editor/editor-state.ts'
import { editorUntil } from '#src/features/publish/editor/editor-until.ts'
import type { EditorItem } from '#src/features/publish/files/editor-item.ts'

/** What the editor shows of a picked file. Its previews are object URLs of the caller. */
export type PickedInEditor = Pick<EditorState, 'items' | 'frame' | 'refused'>

/** Whether the editor has nothing left to do for its files. */
const isSettled = ({ preparing, isTakingFrame, items }: EditorState): boolean =>
  preparing === 0 && !isTakingFrame && items.every(isShown)

function isShown({ media, copied, preview }: EditorItem): boolean {
  if (copied !== 'lost' && copied < 1) return false
  return media.kind === 'video' || media.conversion.is === 'failed' || preview !== null
}

/** Keeps the preview of a file after its editor has closed. */
async function kept(item: EditorItem): Promise<EditorItem> {
  if (item.preview === null) return item
  const { previewOf } = await import('#src/domain/media/prepare/picture.ts')
  return { ...item, preview: await previewOf(await (await fetch(item.preview.src)).blob()) }
}

/**
 * Picks a file in a new draft and waits until it is prepared. The draft is discarded, or submitted with a text.
 * @param content text of the post; without it nothing is published
 * @throws when the editor does not submit the draft
 */
export async function pickInEditor(ownerId: string, file: File, content?: string): Promise<PickedInEditor> {
  const draft = emptyDraft(ownerId, Date.now())
  const editor = new DraftEditor(draft)
  try {
    if (content !== undefined) editor.change({ content })
    await editor.add([file])
    await editorUntil(editor, () => isSettled(editor.get()))
    // The length of a video is stored after its frame.
    await editor.reload()
    const { items, frame, refused } = editor.get()
    const picked = { items: await Promise.all(items.map(kept)), frame: frame && (await kept(frame)), refused }
    if (content === undefined || items.length === 0) return picked
    const end = await editor.submit()
    if (end.is !== 'submitted') throw new Error(`${file.name} was not submitted: ${JSON.stringify(end)}`)
    return picked
  } finally {
    editor.close()
    await discardDraft(draft.id, ownerId)
  }
}
