// Adds content shared by another app to its draft, and deletes it afterwards.
import { dropShared, readShared } from '#device/drafts/shared.ts'
import type { Media } from '#device/database/schema.ts'
import type { DraftEditor } from '#src/features/publish/editor/draft-editor.ts'
import type { EditorItem } from '#src/features/publish/files/editor-item.ts'
import { editorUntil } from '#src/features/publish/editor/editor-until.ts'

/** A file's name without its extension, which the conversion of a photo changes. */
const stem = (name: string) => name.replace(/\.[^.]*$/, '')

/** Shared files that are not in the draft yet, after an interruption. Pure. */
export function filesToAdd<F extends { readonly name: string }>(
  files: readonly F[],
  existing: readonly Pick<Media, 'name'>[],
): F[] {
  const remaining = existing.map((it) => stem(it.name))
  return files.filter((file) => {
    const at = remaining.indexOf(stem(file.name))
    if (at >= 0) remaining.splice(at, 1)
    return at < 0
  })
}

/** Resolves when no file of the draft is being copied. */
function copied(editor: DraftEditor): Promise<void> {
  const busy = (it: EditorItem) => it.media.bytes.is === 'copying' && it.copied !== 'lost'
  return editorUntil(editor, () => !editor.get().items.some(busy))
}

/** Adds the content shared for this draft, if any, in one tab at a time. An interrupted share continues. */
export function addShared(editor: DraftEditor): Promise<void> {
  return navigator.locks.request(`todoke-shared:${editor.get().draft.id}`, () => add(editor))
}

async function add(editor: DraftEditor): Promise<void> {
  const { draft } = editor.get()
  const shared = await readShared(draft.id, draft.ownerId)
  if (!shared) return
  if (shared.text !== '' && !draft.content.includes(shared.text))
    editor.change({ content: [draft.content, shared.text].filter((it) => it !== '').join('\n') })
  const { items } = editor.get()
  for (const it of items) if (it.copied === 'lost') await editor.remove(it.media.id)
  const whole = items.filter((it) => it.copied !== 'lost').map((it) => it.media)
  await editor.add(filesToAdd(shared.files, whole))
  await copied(editor)
  await dropShared(shared.id)
}
