// Early upload as the editor sees it: whether it is wanted, allowed, and how far it is.
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { onChange } from '#device/database/changes.ts'
import { readEarly } from '#device/jobs/preupload.ts'
import type { Draft, JobFacts } from '#device/database/schema.ts'
import { readSetting, writeSetting } from '#device/session/settings.ts'
import { isOnline, onNetwork } from '#src/lib/online.ts'
import { holdEarly, sendEarly } from '#src/sw-bridge.ts'
import { meetsForeign, waitsForRoom } from '#src/features/publish/tray/delivery.ts'

const KEY = 'early-upload'

export type EarlyState =
  | { is: 'idle' }
  | { is: 'sending'; percent: number }
  | { is: 'waiting'; percent: number }
  /** The server's disk has no room. */
  | { is: 'noRoom'; percent: number }
  | { is: 'foreign'; percent: number }
  | { is: 'done' }

/** How far the files of a draft are. Pure. */
export function earlyStateOf(facts: JobFacts | undefined, now: number, online = true): EarlyState {
  const live = facts?.media.filter((it) => !it.dropped) ?? []
  const size = live.reduce((sum, it) => sum + it.size, 0)
  // What the server would not have is tried again, and said, when the post is submitted.
  if (!facts || live.length === 0 || live.some((it) => it.failed || it.paused)) return { is: 'idle' }
  if (live.every((it) => it.done)) return { is: 'done' }
  const sent = live.reduce((sum, it) => sum + it.acked, 0)
  const percent = Math.min(99, Math.floor((sent / Math.max(1, size)) * 100))
  if (online && waitsForRoom(facts, now)) return { is: 'noRoom', percent }
  if (online && meetsForeign(facts, now)) return { is: 'foreign', percent }
  return !online || facts.wait.until - now > 1500 ? { is: 'waiting', percent } : { is: 'sending', percent }
}

interface Early {
  /** The person's choice on this device. */
  wanted: boolean
  /** The person asked the browser to save data: nothing goes up before the post is submitted. */
  saving: boolean
  state: EarlyState
  choose: (wanted: boolean) => void
}

/**
 * Sends the draft's files as long as that is wanted and allowed.
 * @param ready ids of the files that are converted
 */
export function useEarly(draft: Draft, ready: readonly string[]): Early {
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
    void (on ? sendEarly(id, ownerId) : holdEarly(id)).catch((error: unknown) => console.error(error))
  }, [id, ownerId, files, on, wanted])
  return {
    wanted: wanted ?? true,
    saving,
    state: useEarlyState(id),
    choose: (next) => {
      setWanted(next)
      void writeSetting(KEY, next)
    },
  }
}

function useEarlyState(draftId: string): EarlyState {
  const [state, setState] = useState<EarlyState>({ is: 'idle' })
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      timer = undefined
      const early = await readEarly(draftId)
      if (!over) setState(earlyStateOf(early?.facts, Date.now(), isOnline()))
    }
    const deaf = onChange((change) => {
      if (change.store !== 'early' || change.id !== draftId) return
      timer ??= setTimeout(() => void look().catch((error: unknown) => console.error(error)), PROGRESS_EVERY)
    })
    const quiet = () => void look().catch((error: unknown) => console.error(error))
    const stopNetwork = onNetwork(quiet)
    quiet()
    return () => {
      over = true
      clearTimeout(timer)
      deaf()
      stopNetwork()
    }
  }, [draftId])
  return state
}

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
