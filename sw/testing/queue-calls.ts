// The queue's requests to a server with scripted answers.
import type { ServerKind } from '#contract/response.ts'
import { newId } from '#contract/ids.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import type { JobFile } from '#device/jobs/file-row.ts'
import { postJob } from '#device/testing/jobs.ts'
import type { Media } from '#device/database/schema.ts'
import { createChunkedApi } from '#sw/queue/requests/chunked.ts'
import { createPace } from '#sw/queue/pace.ts'
import {
  scripted,
  stillClock,
  storeWith,
  type ScriptedReply,
  type RecordedRequest,
} from './scripted-server.ts'
import { createRestApi } from '#sw/queue/requests/queue-api.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { createTusApi } from '#sw/queue/requests/tus.ts'

export const OWNER = '018f0000-0000-7000-8000-0000000000aa'
export const POST = '018f0000-0000-7000-8000-0000000000cc'
export const OTHER = '018f0000-0000-7000-8000-0000000000dd'
export const FILE = '018f0000-0000-7000-8000-00000000000a'
export const PATH = `/upload-chunking-2/${FILE}`
export const SIZE = 10
export const DIGEST = `${'A'.repeat(43)}=`
export const user = {
  id: OWNER,
  email: 'a@example.com',
  name: '葵',
  avatar_url: null,
  role: 'member',
} as const
export const neverAborted = new AbortController().signal
export const FOREIGN_LOSS = { is: 'lost', why: 'foreign' }

/** All requests of the queue, to a server that gives these answers in turn. */
export function calls(
  answers: (ScriptedReply | ((request: RecordedRequest) => ScriptedReply))[],
  server?: ServerKind,
) {
  const scriptedServer = scripted(answers.map((it) => (typeof it === 'function' ? it : () => it)))
  const refused: string[] = []
  const replies: unknown[] = []
  const store = storeWith({
    session: async () => ({ token: 'secret', user }),
    refused: async (token, closed) => void refused.push(closed ? `${token} ${closed}` : token),
    digest: async () => DIGEST,
    media: async (id) => ({ id, name: 'a.mp4', mime: 'video/mp4', size: SIZE }) as Media,
    chunk: async () => new Blob([new Uint8Array(SIZE)]),
    range: async (_id, from, to) => new Blob([new Uint8Array(to - from)]),
  })
  const caller = { fetch: scriptedServer.fetch, clock: stillClock, store, ...(server && { server }) }
  const api = 'https://todoke.test/api'
  const onReply = ({ id }: { id: string }, reply: unknown) => void replies.push({ id, reply })
  return {
    server: scriptedServer,
    refused,
    heard: replies,
    ...createRestApi({ ...caller, api, onReply }),
    tus: createTusApi({ ...caller, pace: createPace(), endpoint: 'https://todoke.test/upload-chunking-2' }),
    chunked: createChunkedApi({ ...caller, api }),
  }
}
export const post = postJob([], { id: newId(), key: newId(), ownerId: OWNER })

const file: JobFile = {
  ...newFile({ id: FILE, size: SIZE }),
  state: { is: 'sending', upload: { acked: 0, url: null } },
}

export const withFile = (change: Partial<JobFile> = {}): Job => ({
  ...post,
  files: [{ ...file, ...change }],
  stage: { is: 'added', post: { id: POST, videoId: OTHER } },
})

export const sending = (it: Job) => (on: ReturnType<typeof calls>) =>
  on.tus.send(it, FILE, async () => undefined, neverAborted)
