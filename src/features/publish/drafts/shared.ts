// What another app shared: put into the draft of the same id, and let go once the draft has every file whole.
import { dropShared, readShared } from '#device/drafts/shared.ts'
import type { Media } from '#device/database/schema.ts'
import type { DraftEditor } from '#src/features/publish/editor/draft-editor.ts'
import type { EditorItem } from '#src/features/publish/files/editor-item.ts'
import { editorUntil } from '#src/features/publish/editor/editor-until.ts'

/** A file's name without its ending: a prepared photo has another one. */
const stem = (name: string) => name.replace(/\.[^.]*$/, '')

/** Files the draft does not have yet: the app may have been closed in the middle of taking them. Pure. */
export function stillToTake<F extends { readonly name: string }>(
  files: readonly F[],
  there: readonly Pick<Media, 'name'>[],
): F[] {
  const left = there.map((it) => stem(it.name))
  return files.filter((file) => {
    const at = left.indexOf(stem(file.name))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Ends when no file of the draft is being copied any more. */
function copied(editor: DraftEditor): Promise<void> {
  const busy = (it: EditorItem) => it.media.bytes.is === 'copying' && it.copied !== 'lost'
  return editorUntil(editor, () => !editor.get().items.some(busy))
}

/** Takes the content shared for this draft, if any; an interrupted share continues. One tab at a time. */
export function takeShared(editor: DraftEditor): Promise<void> {
  return navigator.locks.request(`todoke-shared:${editor.get().draft.id}`, () => take(editor))
}

async function take(editor: DraftEditor): Promise<void> {
  const { draft } = editor.get()
  const shared = await readShared(draft.id, draft.ownerId)
  if (!shared) return
  if (shared.text !== '' && !draft.content.includes(shared.text))
    editor.change({ content: [draft.content, shared.text].filter((it) => it !== '').join('\n') })
  const { items } = editor.get()
  for (const it of items) if (it.copied === 'lost') await editor.remove(it.media.id)
  const whole = items.filter((it) => it.copied !== 'lost').map((it) => it.media)
  await editor.add(stillToTake(shared.files, whole))
  await copied(editor)
  await dropShared(shared.id)
}
