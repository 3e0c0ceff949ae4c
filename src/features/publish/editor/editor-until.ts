// Waits for a state of the editor.
import type { DraftEditor } from './draft-editor.ts'

/** Ends when the condition holds, looked at now and at every change. */
export function editorUntil(editor: Pick<DraftEditor, 'subscribe'>, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return
      stop()
      resolve()
    }
    const stop = editor.subscribe(look)
    look()
  })
}
