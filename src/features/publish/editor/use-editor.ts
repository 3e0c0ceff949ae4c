// useEditor: the editor of one of the signed-in person's drafts, while a page shows it.
import { useEffect, useState } from 'react'
import { databaseState, onDatabaseState } from '#device/database/database-state.ts'
import { emptyDraft, isUnused, listDrafts } from '#device/drafts/drafts.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { DraftEditor } from './draft-editor.ts'
import type { EditorState } from './editor-state.ts'
import { recoverDrafts } from './draft-notes.ts'
import type { WhyClosed } from './editor-closed.tsx'
import { takeShared } from '#src/features/publish/drafts/shared.ts'

export interface OpenEditor {
  editor: DraftEditor
  state: EditorState
}

export type Opened =
  | { is: 'opening' }
  | ({ is: 'open' } & OpenEditor)
  /** The device's database cannot be read. */
  | { is: 'closed'; why: WhyClosed }

const noEditor = createStore(undefined)

/**
 * The editor, once the draft has been read from the device.
 * @param wanted a draft's id; without it the last changed draft of this protocol
 */
export function useEditor(ownerId: string, protocol: Protocol, wanted?: string): Opened {
  const [editor, setEditor] = useState<DraftEditor>()
  const [hasFailed, setFailed] = useState(false)
  const database = useStore({ get: databaseState, subscribe: onDatabaseState })
  const isBlocked = database === 'blocked'
  useEffect(() => {
    let over = false
    let open: DraftEditor | undefined
    // An open that was blocked is tried again as soon as the database is there.
    if (isBlocked) return undefined
    openEditor(ownerId, protocol, wanted).then(
      (it) => {
        open = it
        if (over) it.close()
        else setEditor(it)
      },
      (error: unknown) => {
        console.error(error)
        if (!over) setFailed(true)
      },
    )
    return () => {
      over = true
      open?.close()
      setEditor(undefined)
      setFailed(false)
    }
  }, [ownerId, protocol, wanted, isBlocked])
  useFlush(editor)
  const state = useStore<EditorState | undefined>(editor ?? noEditor)
  if (editor && state) return { is: 'open', editor, state }
  if (database !== 'open') return { is: 'closed', why: database }
  return hasFailed ? { is: 'closed', why: 'failed' } : { is: 'opening' }
}

/** A hidden page may be ended without another event: unsaved changes are stored then. */
function useFlush(editor: DraftEditor | undefined): void {
  useEffect(() => {
    if (!editor) return undefined
    const flush = () => editor.flush()
    const hidden = () => document.visibilityState === 'hidden' && flush()
    window.addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', hidden)
    document.addEventListener('freeze', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', hidden)
      document.removeEventListener('freeze', flush)
    }
  }, [editor])
}

/**
 * Opens a draft of this person: the wanted one, else the last changed one of this protocol, else a new one.
 * @param wanted a draft's id; an unused id becomes the new draft's
 */
async function openEditor(ownerId: string, protocol: Protocol, wanted?: string): Promise<DraftEditor> {
  await recoverDrafts(ownerId).catch((error: unknown) => console.warn('unsaved drafts stay as notes', error))
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
