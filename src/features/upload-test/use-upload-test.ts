// useUploadTest: measures the upload of random bytes and the time of replies.
import { useEffect, useRef, useState } from 'react'
import { getHealth } from '#contract/health.ts'
import { MiB, PROGRESS_EVERY } from '#contract/limits.ts'
import { call } from '#src/domain/api/api.ts'
import { measureUpload, type MeasureProgress } from '#src/sw-bridge.ts'
import { median, type Measured } from './report.ts'

/** The most `getRandomValues` gives at once, bytes. */
const RANDOM_MOST = 65_536
const ROUND_TRIPS = 5

export type TestState =
  | { is: 'idle' }
  | { is: 'measuring'; size: number; progress: MeasureProgress }
  | { is: 'measured'; measured: Measured }
  | { is: 'broken' }

export function useUploadTest(ownerId: string) {
  const [state, setState] = useState<TestState>({ is: 'idle' })
  const running = useRef<AbortController>(undefined)
  // Leaving the page stops it; what was sent is removed all the same.
  useEffect(() => () => running.current?.abort(), [])

  async function start(megabytes: number): Promise<void> {
    const stop = new AbortController()
    running.current = stop
    const size = megabytes * MiB
    let shownAt = 0
    const show = (progress: MeasureProgress) => {
      const now = Date.now()
      if (now - shownAt < PROGRESS_EVERY) return
      shownAt = now
      setState({ is: 'measuring', size, progress })
    }
    show({ ms: 0, sent: 0, retries: 0 })
    try {
      const roundTrip = median(await roundTrips(stop.signal))
      const end = await measureUpload(ownerId, randomBytes(megabytes), show, stop.signal)
      setState({ is: 'measured', measured: { ...end, at: Date.now(), size, roundTrip } })
    } catch (error) {
      console.error('Upload error!', error)
      setState({ is: 'broken' })
    }
  }
  return { state, start, stop: () => running.current?.abort() }
}

/** Bytes no line can compress. */
function randomBytes(megabytes: number): Blob {
  const parts = Array.from({ length: megabytes }, () => {
    const part = new Uint8Array(MiB)
    for (let at = 0; at < MiB; at += RANDOM_MOST) crypto.getRandomValues(part.subarray(at, at + RANDOM_MOST))
    // As a Blob it may leave memory before the next part is made.
    return new Blob([part])
  })
  return new Blob(parts)
}

async function roundTrips(signal: AbortSignal): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < ROUND_TRIPS && !signal.aborted; n++) {
    const startedAt = performance.now()
    const answered = await call(getHealth, {}, signal).catch(() => undefined)
    if (answered) took.push(performance.now() - startedAt)
  }
  return took
}
