// Preupload as the editor shows it: whether it is wanted, allowed, and its progress.
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { readPreupload } from '#device/jobs/preupload.ts'
import { ackedOf, wantedFiles } from '#device/jobs/file-row.ts'
import type { Preupload } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import { readSetting, writeSetting } from '#device/session/settings.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { isOnline, onNetwork } from '#src/lib/online.ts'
import { pausePreupload, preupload } from '#src/sw-bridge.ts'
import { meetsForeign, waitsForRoom } from '#src/features/publish/tray/delivery.ts'

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

/** How far the files of a draft are. Pure. */
export function preuploadStateOf(job: Preupload | undefined, now: number, online = true): PreuploadState {
  const files = wantedFiles(job?.files ?? [])
  const states = files.map(({ state }) => state.is)
  const size = files.reduce((sum, it) => sum + it.size, 0)
  // A failure is shown, and the files are sent again, when the post is submitted.
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
  if (online && meetsForeign(job, now)) return { is: 'foreign', percent }
  return !online || job.wait.until - now > 1500 ? { is: 'waiting', percent } : { is: 'sending', percent }
}

interface PreuploadView {
  /** The person's choice on this device. */
  wanted: boolean
  /** The browser's data saving is on: no file is uploaded before the post is submitted. */
  saving: boolean
  state: PreuploadState
  choose: (wanted: boolean) => void
}

/**
 * Sends the draft's files as long as that is wanted and allowed.
 * @param ready ids of the files that are converted
 */
export function usePreupload(draft: Draft, ready: readonly string[]): PreuploadView {
  const { id, ownerId, protocol } = draft
  const [wanted, setWanted] = useState<boolean>()
  const saving = useSaveData()
  const files = ready.join(' ')
  const on = protocol === 'tus' && wanted === true && !saving
  useEffect(() => {
    void readSetting(KEY, v.boolean()).then((stored) => setWanted((chosen) => chosen ?? stored ?? true))
  }, [])
  useEffect(() => {
    if (wanted === undefined || files === '') return
    void (on ? preupload(id, ownerId) : pausePreupload(id)).catch((error: unknown) => console.error(error))
  }, [id, ownerId, files, on, wanted])
  return {
    wanted: wanted ?? true,
    saving,
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
    also: onNetwork,
    every: PROGRESS_EVERY,
  }) ?? idle

// TypeScript's library does not know the Network Information API.
interface Connection extends EventTarget {
  readonly saveData?: boolean
}

function useSaveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection }
  const [saving, setSaving] = useState(connection?.saveData ?? false)
  useEffect(() => {
    const look = () => setSaving(connection?.saveData ?? false)
    connection?.addEventListener('change', look)
    return () => connection?.removeEventListener('change', look)
  }, [connection])
  return saving
}
