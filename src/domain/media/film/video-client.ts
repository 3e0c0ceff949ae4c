// Requests to the worker that reads videos with mediabunny.
import type { FilmFacts } from './film-facts.ts'
import { unknownFilm } from './unknown-film.ts'
import type { VideoFrame } from './moment.ts'
import { WorkerClient } from '#src/domain/media/prepare/worker-client.ts'

export interface VideoRequest {
  /** `frame`: its length and a picture. `film`: whether it can be shown and is complete. */
  is: 'frame' | 'film'
  file: Blob
}

/** Longest wait for a reply, ms: reading a broken file may never end. */
export const TIMEOUT_MS = 8000

const client = new WorkerClient<VideoRequest, VideoFrame | FilmFacts>(
  () => new Worker(new URL('./video-worker.ts', import.meta.url), { type: 'module' }),
  TIMEOUT_MS,
)

/** Rejects where the worker breaks or is late. */
export async function readFrame(file: Blob): Promise<VideoFrame> {
  const reply = await client.request({ is: 'frame', file })
  if ('picture' in reply) return reply
  throw new TypeError('the reply is of another request')
}

/** What is known of a film; never rejects: a film that this device cannot read is judged by the server. */
export async function filmOf(file: Blob): Promise<FilmFacts> {
  const reply = await client.request({ is: 'film', file }).catch(() => unknownFilm)
  return 'cut' in reply ? reply : unknownFilm
}
