// Waits for a state of the editor.
import type { DraftEditor } from './draft-editor.ts'

/** Resolves when a condition is true, checked now and at every change. */
export function editorUntil(editor: Pick<DraftEditor, 'subscribe'>, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!condition()) return
      stop()
      resolve()
    }
    const stop = editor.subscribe(check)
    check()
  })
}
