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

/** The functions of the editor that a share uses. */
type SharedTaker = Pick<DraftEditor, 'get' | 'subscribe' | 'change' | 'add' | 'remove'>

/** Resolves when no file of the draft is being copied. */
function copied(editor: SharedTaker): Promise<void> {
  const busy = (it: EditorItem) => it.media.bytes.is === 'copying' && it.copied !== 'lost'
  return editorUntil(editor, () => !editor.get().items.some(busy))
}

/** Waits before a failed try is repeated, ms. A device that has just started may fail to read at first. */
const RETRY_DELAYS = [1000, 5000] as const

/** The functions of the device that adding uses. */
const devicePorts = {
  read: readShared,
  drop: dropShared,
  wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}

/**
 * Adds the content shared for this draft, if any, in one tab at a time. An interrupted share continues.
 * @throws when the third try fails too; the share then stays on the device
 */
export function addShared(editor: SharedTaker, ports = devicePorts): Promise<void> {
  return navigator.locks.request(`todoke-shared:${editor.get().draft.id}`, async () => {
    for (const delay of RETRY_DELAYS) {
      try {
        return await add(editor, ports)
      } catch (error) {
        console.warn('the share is read again', error)
        await ports.wait(delay)
      }
    }
    return add(editor, ports)
  })
}

async function add(editor: SharedTaker, ports: typeof devicePorts): Promise<void> {
  const { draft } = editor.get()
  const shared = await ports.read(draft.id, draft.ownerId)
  if (!shared) return
  if (shared.text !== '' && !draft.content.includes(shared.text))
    editor.change({ content: [draft.content, shared.text].filter((it) => it !== '').join('\n') })
  const { items } = editor.get()
  for (const it of items) if (it.copied === 'lost') await editor.remove(it.media.id)
  const whole = items.filter((it) => it.copied !== 'lost').map((it) => it.media)
  await editor.add(filesToAdd(shared.files, whole))
  await copied(editor)
  await ports.drop(shared.id)
}
