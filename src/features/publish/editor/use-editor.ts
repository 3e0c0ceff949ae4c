// useEditor: opens the editor of a draft while a page shows it.
import { useEffect, useState } from 'react'
import { databaseState, onDatabaseState } from '#device/database/database-state.ts'
import type { Protocol } from '#device/jobs/job-rows.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import type { DraftEditor } from './draft-editor.ts'
import type { EditorState } from './editor-state.ts'
import { openEditor } from './open-editor.ts'
import type { ClosedReason } from './editor-closed.tsx'
import { addShared } from '#src/features/publish/drafts/shared.ts'

export interface OpenEditor {
  editor: DraftEditor
  state: EditorState
}

export type Opened =
  | { is: 'opening' }
  /** `hasUnreadShare`: what another app shared for this draft cannot be read. */
  | ({ is: 'open'; hasUnreadShare: boolean } & OpenEditor)
  /** The device's database cannot be read. */
  | { is: 'closed'; why: ClosedReason }

const noEditor = createStore(undefined)

/**
 * The editor, once the draft has been read from the device.
 * @param requestedId a draft's id; without it the last changed draft of this protocol
 */
export function useEditor(ownerId: string, protocol: Protocol, requestedId?: string): Opened {
  const [editor, setEditor] = useState<DraftEditor>()
  const [hasFailed, setFailed] = useState(false)
  const [hasUnreadShare, setUnreadShare] = useState(false)
  const database = useStore({ get: databaseState, subscribe: onDatabaseState })
  const isBlocked = database === 'blocked'
  useEffect(() => {
    let isUnmounted = false
    let open: DraftEditor | undefined
    // A blocked database is opened again when it is available.
    if (isBlocked) return undefined
    openEditor(ownerId, protocol, requestedId).then(
      (it) => {
        open = it
        if (isUnmounted) return it.close()
        setEditor(it)
        // The editor is shown at once; shared files are added like picked files.
        addShared(it).catch((error: unknown) => {
          console.error('Upload error!', error)
          if (!isUnmounted) setUnreadShare(true)
        })
      },
      (error: unknown) => {
        console.error(error)
        if (!isUnmounted) setFailed(true)
      },
    )
    return () => {
      isUnmounted = true
      open?.close()
      setEditor(undefined)
      setFailed(false)
      setUnreadShare(false)
    }
  }, [ownerId, protocol, requestedId, isBlocked])
  useFlush(editor)
  const state = useStore<EditorState | undefined>(editor ?? noEditor)
  if (editor && state) return { is: 'open', editor, state, hasUnreadShare }
  if (database !== 'open') return { is: 'closed', why: database }
  return hasFailed ? { is: 'closed', why: 'failed' } : { is: 'opening' }
}

/** Stores unsaved changes when the page is hidden, since it may end without another event. */
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
