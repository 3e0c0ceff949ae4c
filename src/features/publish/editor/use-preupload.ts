// usePreupload: the choice, the permission and the progress of a draft's preupload.
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { readPreupload } from '#device/jobs/preupload.ts'
import { ackedOf, remainingFiles } from '#device/jobs/file-row.ts'
import type { Preupload } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import { readSetting, writeSetting } from '#device/session/settings.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { isOnline, onNetwork } from '#src/lib/online.ts'
import { pausePreupload, preupload } from '#src/sw-bridge.ts'
import { hasForeignReplies, waitsForRoom } from '#src/domain/media/delivery-status.ts'

const KEY = 'early-upload'

export type PreuploadState =
  | { is: 'idle' }
  | { is: 'sending'; percent: number }
  | { is: 'waiting'; percent: number }
  /** The server's disk has no room. */
  | { is: 'noRoom'; percent: number }
  | { is: 'foreign'; percent: number }
  | { is: 'done' }

const idle: PreuploadState = { is: 'idle' }

/** The progress of a draft's files. Pure. */
export function preuploadStateOf(job: Preupload | undefined, now: number, online = true): PreuploadState {
  const files = remainingFiles(job?.files ?? [])
  const states = files.map(({ state }) => state.is)
  const size = files.reduce((sum, it) => sum + it.size, 0)
  // A failed preupload is not shown; its files are sent again with the post.
  if (
    job?.stage.is !== 'open' ||
    files.length === 0 ||
    states.some((it) => it === 'failed' || it === 'paused')
  )
    return { is: 'idle' }
  if (states.every((it) => it === 'sent')) return { is: 'done' }
  const sent = files.reduce((sum, it) => sum + ackedOf(it), 0)
  const percent = Math.min(99, Math.floor((sent / Math.max(1, size)) * 100))
  if (online && waitsForRoom(job, now)) return { is: 'noRoom', percent }
  if (online && hasForeignReplies(job, now)) return { is: 'foreign', percent }
  return !online || job.wait.until - now > 1500 ? { is: 'waiting', percent } : { is: 'sending', percent }
}

interface PreuploadView {
  /** The person's choice on this device. */
  enabled: boolean
  /** The browser's data saving is on: no file is uploaded before the post is submitted. */
  saveData: boolean
  state: PreuploadState
  choose: (wanted: boolean) => void
}

/**
 * Preuploads the draft's files while that is enabled and permitted.
 * @param ready ids of the files that are converted
 */
export function usePreupload(draft: Draft, ready: readonly string[]): PreuploadView {
  const { id, ownerId, protocol } = draft
  const [wanted, setWanted] = useState<boolean>()
  const saving = useSaveData()
  const files = ready.join(' ')
  const isActive = protocol === 'tus' && wanted === true && !saving
  useEffect(() => {
    void readSetting(KEY, v.boolean()).then((stored) => setWanted((chosen) => chosen ?? stored ?? true))
  }, [])
  useEffect(() => {
    if (wanted === undefined || files === '') return
    void (isActive ? preupload(id, ownerId) : pausePreupload(id)).catch((error: unknown) =>
      console.error(error),
    )
  }, [id, ownerId, files, isActive, wanted])
  return {
    enabled: wanted ?? true,
    saveData: saving,
    state: usePreuploadState(id),
    choose: (next) => {
      setWanted(next)
      void writeSetting(KEY, next)
    },
  }
}

const usePreuploadState = (draftId: string): PreuploadState =>
  useDeviceRead({
    key: ['early', draftId],
    read: async () => preuploadStateOf(await readPreupload(draftId), Date.now(), isOnline()),
    isAbout: (change) => change.store === 'early' && change.id === draftId,
    alsoOn: onNetwork,
    minInterval: PROGRESS_EVERY,
  }) ?? idle

// TypeScript's library does not know the Network Information API.
interface Connection extends EventTarget {
  readonly saveData?: boolean
}

function useSaveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection }
  const [saving, setSaving] = useState(connection?.saveData ?? false)
  useEffect(() => {
    const update = () => setSaving(connection?.saveData ?? false)
    connection?.addEventListener('change', update)
    return () => connection?.removeEventListener('change', update)
  }, [connection])
  return saving
}
