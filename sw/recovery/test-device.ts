// A device in this process whose queue sends to a real server.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { nextTask } from '#contract/testing/next-task.ts'
import {
  changeMutation,
  dropMutation,
  readyMutations,
  renewMutationSource,
} from '#device/mutations/mutations.ts'
import { copyFile } from '#device/files/import-file.ts'
import { closeDatabase, transact, type StoreName } from '#device/database/database.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { submitDraft } from '#device/jobs/jobs.ts'
import { addMedia } from '#device/files/media.ts'
import type { MutationJob, Protocol } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import { saveSession } from '#device/session/session.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { createChunkedApi } from '#sw/queue/requests/chunked.ts'
import { byProtocol, createRestApi, type QueueApi } from '#sw/queue/requests/queue-api.ts'
import { deviceStore } from '#sw/queue/device-store.ts'
import { fileKinds, mutationKinds } from '#sw/queue/kinds.ts'
import { createRunner, type Runner } from '#sw/queue/runner.ts'
import { createPace } from '#sw/queue/pace.ts'
import type { Clock, Fetch, Ports, QueueStore } from '#sw/queue/ports.ts'
import { clock as realClock } from '#sw/queue/runtime-ports.ts'
import { createTusApi } from '#sw/queue/requests/tus.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const stores: StoreName[] = [
  'drafts',
  'messageDrafts',
  'media',
  'chunks',
  'jobs',
  'early',
  'receipts',
  'acts',
  'settings',
]

/** The request at which a run of the queue is cut, since the browser's process ends. */
export interface Cut {
  /** Method and start of the path: `POST /api/post/add`. */
  readonly at: string
  /** Whether the server receives that request; its answer is lost either way. */
  readonly received: boolean
}

export interface Run {
  readonly cut?: Cut
  /** Difference of the device's clock from the right time, ms. */
  readonly clockOffset?: number
}

/** Deletes the device's database: a new device has none. */
export async function resetDevice(): Promise<void> {
  await closeDatabase()
  await deleteDB('todoke')
}

/** The rows of these stores, as a copy of the browser profile has them. */
export type Snapshot = ReadonlyMap<StoreName, readonly { key: IDBValidKey; value: unknown }[]>

export function takeSnapshot(): Promise<Snapshot> {
  return transact(stores, 'readonly', async (tx) => {
    const all = new Map<StoreName, { key: IDBValidKey; value: unknown }[]>()
    for (const name of stores) {
      const store = tx.objectStore(name)
      const [keys, values] = [await store.getAllKeys(), await store.getAll()]
      all.set(
        name,
        keys.map((key, i) => ({ key: key as IDBValidKey, value: values[i] })),
      )
    }
    return all
  })
}

/** Replaces the rows of these stores by a snapshot: a phone restored from a backup, or the copy of a profile. */
export async function restoreSnapshot(snapshot: Snapshot): Promise<void> {
  await transact(stores, 'readwrite', async (tx) => {
    for (const [name, rows] of snapshot) {
      const store = tx.objectStore(name)
      await store.clear()
      for (const { key, value } of rows)
        await (store.keyPath === null ? store.put(value, key as never) : store.put(value))
    }
  })
}

/** Signs the member in on the device. */
export function signInOnDevice({ id, email, token }: Member): Promise<void> {
  return saveSession({ token, user: { id, email, name: '会員', avatar_url: null, role: 'member' } })
}

export interface PostInput {
  readonly content: string
  readonly files?: readonly Uint8Array<ArrayBuffer>[]
  readonly protocol?: Protocol
}

/** Stores a draft with its files. */
export async function writeDraft(owner: Member, input: PostInput): Promise<Draft> {
  const { content, files = [], protocol = 'tus' } = input
  const empty: Draft = { ...emptyDraft(owner.id, Date.now()), protocol }
  let draft = await changeDraft(empty, (it) => ({ ...it, content }), Date.now())
  for (const [i, bytes] of files.entries()) {
    const file = new File([bytes], `${i}.jpg`)
    const media = pictureRow(empty, { name: file.name, size: file.size })
    await addMedia(empty, media, Date.now())
    await copyFile(media, file)
  }
  draft = await readDraft(empty.id, owner.id)
  if (!draft) throw new Error('the draft was not stored')
  return draft
}

/** Stores a draft with its files and submits it; returns the id of the job, which is the draft's. */
export async function submitPost(owner: Member, input: PostInput): Promise<string> {
  const draft = await writeDraft(owner, input)
  const result = await submitDraft(draft, Date.now())
  if (result.is !== 'submitted') throw new Error(`the submission ended with ${result.is}`)
  return draft.id
}

/** Runs the device's queue against this server, until it is empty or the run is cut. Returns the requests. */
export async function runQueue(world: World, run: Run = {}): Promise<string[]> {
  return drain(world, run, (ports, api) => createRunner({ ...ports, store: deviceStore }, fileKinds(api)))
}

/** As `runQueue`, for the queue of mutations. */
export async function runMutations(world: World, run: Run = {}): Promise<string[]> {
  const store: QueueStore<MutationJob> = {
    ...deviceStore,
    deliveries: readyMutations,
    change: changeMutation,
    finish: (job) => dropMutation(job.id),
    drop: dropMutation,
  }
  return drain(world, run, (ports, api) => createRunner({ ...ports, store }, mutationKinds(api)))
}

/** A run ends when its delays add up to this, ms: the person would see a failure by then. */
const LONGEST_RUN_MS = 10 * 60_000

async function drain(
  world: World,
  { cut, clockOffset = 0 }: Run,
  runnerOf: (ports: Omit<Ports, 'store'>, api: QueueApi) => Runner,
): Promise<string[]> {
  const requests: string[] = []
  let slept = 0
  const now = () => Date.now() + clockOffset + slept
  const fetchUntilCut: Fetch = async (url, init) => {
    const request = `${init.method} ${new URL(url).pathname}`
    requests.push(request)
    if (cut && request.startsWith(cut.at)) {
      if (cut.received) await (await fetch(url, init)).arrayBuffer()
      runner.halt()
      throw new TypeError('the process has ended')
    }
    return fetch(url, init)
  }
  const sleepUntil: Clock['sleep'] = (until, signal) => realClock.sleep(until - now() + Date.now(), signal)
  const caller = { fetch: fetchUntilCut, clock: { ...realClock, now, sleep: sleepUntil }, store: deviceStore }
  const base = world.origin + API_BASE
  const clock: Clock = {
    now,
    random: () => 0,
    // Waits between two tries only advance the clock.
    sleep: async (until, signal) => {
      await nextTask()
      if (signal.aborted) return
      slept += Math.max(0, until - now())
      if (slept > LONGEST_RUN_MS) runner.halt()
    },
  }
  const api = byProtocol(
    createTusApi({ ...caller, pace: createPace(), endpoint: world.origin + TUS_PATH }),
    createChunkedApi({ ...caller, api: base }),
    createRestApi({ ...caller, api: base, renumber: () => renewMutationSource(now()) }),
  )
  const runner = runnerOf({ clock, lock: (work) => work() }, api)
  await runner.drain()
  return requests
}
