// useEditor: the editor of the signed-in person's draft, while a page shows it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { openEditor, type DraftEditor, type EditorState } from './draft-editor.ts'

export interface OpenEditor {
  editor: DraftEditor
  state: EditorState
}

const silent = () => () => {}

/** Undefined until the draft has been read from the device. */
export function useEditor(ownerId: string): OpenEditor | undefined {
  const [editor, setEditor] = useState<DraftEditor>()
  useEffect(() => {
    let over = false
    let open: DraftEditor | undefined
    void openEditor(ownerId).then((it) => {
      open = it
      if (over) it.close()
      else setEditor(it)
    })
    return () => {
      over = true
      open?.close()
      setEditor(undefined)
    }
  }, [ownerId])
  const state = useSyncExternalStore(editor?.subscribe ?? silent, () => editor?.get())
  return editor && state && { editor, state }
}
