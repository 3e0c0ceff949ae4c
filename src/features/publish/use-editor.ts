// useEditor: the editor of one of the signed-in person's drafts, while a page shows it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { emptyDraft, isUnused, listDrafts } from '#device/drafts.ts'
import type { Protocol } from '#device/schema.ts'
import { DraftEditor, type EditorState } from './draft-editor.ts'
import { takeShared } from './shared.ts'

export interface OpenEditor {
  editor: DraftEditor
  state: EditorState
}

const silent = () => () => {}

/**
 * Undefined until the draft has been read from the device.
 * @param wanted a draft's id; without it the last changed draft of this protocol
 */
export function useEditor(ownerId: string, protocol: Protocol, wanted?: string): OpenEditor | undefined {
  const [editor, setEditor] = useState<DraftEditor>()
  useEffect(() => {
    let over = false
    let open: DraftEditor | undefined
    void openEditor(ownerId, protocol, wanted).then((it) => {
      open = it
      if (over) it.close()
      else setEditor(it)
    })
    return () => {
      over = true
      open?.close()
      setEditor(undefined)
    }
  }, [ownerId, protocol, wanted])
  const state = useSyncExternalStore(editor?.subscribe ?? silent, () => editor?.get())
  return editor && state && { editor, state }
}

/**
 * Opens a draft of this person: the one asked for, else the last changed one of this protocol, else a new one.
 * @param wanted a draft's id; one that is nobody's yet becomes the new draft's
 */
async function openEditor(ownerId: string, protocol: Protocol, wanted?: string): Promise<DraftEditor> {
  const drafts = await listDrafts(ownerId)
  const found = drafts.find((it) => (wanted ? it.id === wanted : it.protocol === protocol))
  const fresh = emptyDraft(ownerId, Date.now(), protocol)
  const id = wanted && (await isUnused(wanted)) ? wanted : fresh.id
  const editor = new DraftEditor(found ?? { ...fresh, id })
  await editor.reload()
  // The editor is there at once; what was shared comes in as picked files do.
  void takeShared(editor).catch((error: unknown) => console.error('Upload error!', error))
  return editor
}
