// A device in this process whose queue talks to a real server; both can lose state.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
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
import { createMutationApi } from '#sw/queue/requests/mutations.ts'
import { byProtocol, createChunkedApi, type QueueApi } from '#sw/queue/requests/chunked.ts'
import { deviceStore } from '#sw/queue/device-store.ts'
import { fileKinds, mutationKinds } from '#sw/queue/kinds.ts'
import { createRunner, type Runner } from '#sw/queue/runner.ts'
import { createIdentityApi } from '#sw/queue/requests/identity.ts'
import { createPace } from '#sw/queue/pace.ts'
import type { Clock, Fetch, Ports, QueueStore } from '#sw/queue/ports.ts'
import { clock as realClock } from '#sw/queue/ports-here.ts'
import { createPostApi } from '#sw/queue/requests/publish.ts'
import { createTusApi } from '#sw/queue/requests/tus.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const stores: StoreName[] = ['drafts', 'media', 'chunks', 'jobs', 'early', 'receipts', 'acts', 'settings']

/** Where a run of the queue is cut: the browser's process ends there. */
export interface Cut {
  /** How the request begins: `POST /api/post/add`. */
  readonly at: string
  /** Whether the server receives that request; its answer is lost either way. */
  readonly received: boolean
}

export interface Run {
  readonly cut?: Cut
  /** Milliseconds by which the device's clock differs from the right time. */
  readonly clockOff?: number
}

/** Ends the device's database, as a new device has none. */
export async function resetDevice(): Promise<void> {
  await closeDatabase()
  await deleteDB('todoke')
}

/** Rows of the device's database, in the form a copied profile has them. */
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

/** Replaces all rows by those of an older state: a phone restored from a backup, or the copy of a profile. */
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

/** Signs the member in on this device. */
export function signInHere({ id, email, token }: Member): Promise<void> {
  return saveSession({ token, user: { id, email, name: '会員', avatar_url: null, role: 'member' } })
}

export interface Writing {
  readonly content: string
  readonly files?: readonly Uint8Array<ArrayBuffer>[]
  readonly protocol?: Protocol
}

/** Stores a draft with its files. */
export async function writeDraft(owner: Member, writing: Writing): Promise<Draft> {
  const { content, files = [], protocol = 'tus' } = writing
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

/** Stores a draft with its files and submits it; its id is the job's. */
export async function submitPost(owner: Member, writing: Writing): Promise<string> {
  const draft = await writeDraft(owner, writing)
  const end = await submitDraft(draft, Date.now())
  if (end.is !== 'submitted') throw new Error(`the submission ended with ${end.is}`)
  return draft.id
}

/** Runs the device's queue against this server, until it has nothing to do or the run is cut. */
export async function runQueue(world: World, run: Run = {}): Promise<string[]> {
  return drain(world, run, (ports, api) => createRunner({ ...ports, store: deviceStore }, fileKinds(api)))
}

/** As `runQueue`, for likes, follows and comments. */
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

/** Delays of the queue above this end a run: the person would see a failure by then, ms. */
const LONGEST_RUN_MS = 10 * 60_000

async function drain(
  world: World,
  { cut, clockOff = 0 }: Run,
  runnerOf: (ports: Omit<Ports, 'store'>, api: QueueApi) => Runner,
): Promise<string[]> {
  const asked: string[] = []
  let slept = 0
  const now = () => Date.now() + clockOff + slept
  const fetchHere: Fetch = async (url, init) => {
    const line = `${init.method} ${new URL(url).pathname}`
    asked.push(line)
    if (cut && line.startsWith(cut.at)) {
      if (cut.received) await (await fetch(url, init)).arrayBuffer()
      runner.halt()
      throw new TypeError('the process has ended')
    }
    return fetch(url, init)
  }
  const sleepHere: Clock['sleep'] = (until, signal) => realClock.sleep(until - now() + Date.now(), signal)
  const caller = { fetch: fetchHere, clock: { ...realClock, now, sleep: sleepHere }, store: deviceStore }
  const api = world.origin + API_BASE
  const clock: Clock = {
    now,
    random: () => 0,
    // Waits between two tries take no time here.
    sleep: async (until, signal) => {
      await new Promise((resolve) => setTimeout(resolve))
      if (signal.aborted) return
      slept += Math.max(0, until - now())
      if (slept > LONGEST_RUN_MS) runner.halt()
    },
  }
  const requests = byProtocol(
    createTusApi({ ...caller, pace: createPace(), endpoint: world.origin + TUS_PATH }),
    createChunkedApi({ ...caller, api }),
    {
      ...createPostApi({ ...caller, api }),
      ...createIdentityApi({ ...caller, api }),
      ...createMutationApi({ ...caller, api, renumber: () => renewMutationSource(now()) }),
    },
  )
  const runner = runnerOf({ clock, lock: (work) => work() }, requests)
  await runner.drain()
  return asked
}
