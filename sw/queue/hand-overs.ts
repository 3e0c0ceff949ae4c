// Hands the files of submitted posts to the browser, one after the other.
import { HAND_OVER_BYTES } from '#contract/limits.ts'
import { carriedTitle } from '#contract/notifications/notices.ts'
import { onChange } from '#device/database/changes.ts'
import { readChunkRow } from '#device/files/chunks.ts'
import { readMedia } from '#device/files/media.ts'
import { ackedOf, urlOf, type JobFile } from '#device/jobs/file-row.ts'
import { type Job, type PostJob, titleOf } from '#device/jobs/job-rows.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { backgroundFetches, type BackgroundFetches } from './carrier.ts'

/** An upload that the browser gave back is handed over again after this time at the earliest, ms. */
const AGAIN_MS = 60_000

/** Whether the server has begun to receive this file, and lacks enough of it. */
const isLarge = (file: JobFile): boolean =>
  file.state.is === 'sending' && file.size - ackedOf(file) >= HAND_OVER_BYTES

/** Whether a job has a file that the browser may carry. */
const canHandOver = (job: Job): job is PostJob =>
  job.kind === 'post' && job.protocol === 'tus' && job.files.some(isLarge)

/**
 * Hands over this person's uploads, now and at each change of their jobs. Runs in a page: a worker cannot hand over.
 * @param registration of the active worker
 * @returns stops
 */
export function watchHandOvers(ownerId: string, registration: ServiceWorkerRegistration): () => void {
  const fetches = backgroundFetches(registration)
  if (!fetches) return () => {}
  const handOvers = createHandOvers(fetches)
  const start = async () => {
    const jobs = (await listJobs(ownerId)).filter(canHandOver)
    if (jobs.length > 0) await handOvers.run(jobs)
  }
  const startNow = () => void start().catch((error: unknown) => console.error('Upload error!', error))
  startNow()
  const stopListening = onChange((change) => {
    if (change.store === 'jobs' || change.store === 'media') startNow()
  })
  return () => {
    stopListening()
    handOvers.stop()
  }
}

interface HandOvers {
  run(jobs: readonly PostJob[]): Promise<void>
  stop(): void
}

function createHandOvers(fetches: BackgroundFetches): HandOvers {
  const stop = new AbortController()
  /** When each file was tried last, ms since 1970. Infinity: this page does not try again. */
  const triedAt = new Map<string, number>()
  let running = false

  const isDue = ({ id }: JobFile) => Date.now() - (triedAt.get(id) ?? 0) >= AGAIN_MS

  async function handOverFiles(jobs: readonly PostJob[]): Promise<void> {
    // Loaded only for large uploads.
    const [{ handOver }, { runtimeCaller }, { deviceStore }] = await Promise.all([
      import('./requests/hand-over.ts'),
      import('./runtime-ports.ts'),
      import('./device-store.ts'),
    ])
    const deps = { ...runtimeCaller(), store: deviceStore, fetches, readChunk: readChunkRow }
    for (const job of jobs) {
      for (const file of job.files.filter((it) => isLarge(it) && isDue(it))) {
        const [media, url] = [await readMedia(file.id), urlOf(file)]
        if (media?.bytes.is !== 'stored' || !url) continue
        triedAt.set(file.id, Date.now())
        const title = carriedTitle('sending', titleOf(job))
        const end = await handOver(deps, { job, media, url, title }, stop.signal)
        if (end === 'noRoom') triedAt.set(file.id, Infinity)
      }
    }
  }

  return {
    async run(jobs) {
      if (running || !jobs.some((job) => job.files.some((it) => isLarge(it) && isDue(it)))) return
      running = true
      // Another tab hands over the same uploads.
      await navigator.locks
        .request('todoke-hand-over', { ifAvailable: true }, (lock) => lock && handOverFiles(jobs))
        .finally(() => (running = false))
    },
    stop: () => stop.abort(),
  }
}
