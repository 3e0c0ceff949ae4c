// One worker or page: its ports onto the world, each of which may be where it is killed.
import { Run, digestOf } from './bytes.ts'
import { chunkSize } from './device.ts'
import { release, type Life, type World } from './world.ts'
import { CHUNK_BYTES, chunksOf } from '#device/chunks.ts'
import { Ended } from '#sw/upload/outcome.ts'
import type { Clock, Fetch, Lock, QueueStore } from '#sw/upload/ports.ts'
import { v5ish } from './ids.ts'

const never = new Promise<never>(() => {})

/** The ports of one context. After its death none of them ever answers. */
export function makeContextPorts(world: World, life: Life) {
  const { random, timeline, device } = world

  /** One effect, with moments before and after it at which the context may die. */
  async function act<T>(effect: () => T): Promise<T> {
    await moment()
    const value = effect()
    await moment()
    return value
  }
  async function moment(): Promise<void> {
    if (!life.alive) return never
    if (random.chance(world.killRate)) {
      life.die?.()
      return never
    }
    if (random.chance(0.2))
      await new Promise<void>((resolve) => timeline.after(random.between(0, 5), resolve))
    return life.alive ? undefined : never
  }

  const clock: Clock = {
    now: timeline.now,
    random: random.next,
    sleep: (until, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const done = () => life.alive && resolve()
        const forget = timeline.after(until - timeline.now(), done)
        signal.addEventListener('abort', () => (forget(), done()), { once: true })
      }),
  }

  const store: QueueStore = {
    session: () => act(() => device.session),
    refused: (token) =>
      act(() => {
        if (device.session?.token !== token) return
        device.session = undefined
        device.changed()
      }),
    deliveries: (owner) => act(() => device.deliveries().filter((it) => it.ownerId === owner)),
    changeFacts: (jobId, change) =>
      act(() => {
        const job = device.changeFacts(jobId, change)
        if (job) world.inspector.changed(job.facts)
        return job
      }),
    finish: (job, postId, at) =>
      act(() => {
        if (job.kind === 'act') return
        if (job.kind === 'post') world.inspector.finish(world, postId)
        else world.inspector.finishCheck(world, job.key)
        device.forget(job.id)
        const { kind, id, ownerId } = job
        device.receipts.set(id, { kind, id, ownerId, postId, releasedAt: at, told: false })
        device.changed()
      }),
    drop: (jobId) =>
      act(() => {
        world.inspector.drop(world, jobId)
        device.jobs.delete(jobId)
        device.early.delete(jobId)
        device.changed()
      }),
    media: (mediaId) => act(() => device.media.get(mediaId)),
    digest: async (mediaId, signal) => {
      for (;;) {
        const found = await act(() => {
          const media = device.media.get(mediaId)
          return media && device.chunks.get(mediaId) === chunksOf(media.size) ? digestOf(mediaId) : undefined
        })
        if (found || !device.copying.has(mediaId)) return found
        await clock.sleep(timeline.now() + 2000, signal)
        if (signal.aborted) throw new Ended({ is: 'stopped' })
      }
    },
    chunk: async (mediaId, index, signal) => {
      for (;;) {
        const found = await act(() => {
          const media = device.media.get(mediaId)
          if (!media || (device.chunks.get(mediaId) ?? 0) <= index) return undefined
          return new Run(mediaId, index * 5 * 1024 * 1024, chunkSize(media, index))
        })
        if (found) return found
        if (!device.copying.has(mediaId)) return undefined
        await clock.sleep(timeline.now() + 2000, signal)
        if (signal.aborted) throw new Ended({ is: 'stopped' })
      }
    },
    range: async (mediaId, from, to, signal) => {
      const last = await store.chunk(mediaId, Math.floor((to - 1) / CHUNK_BYTES), signal)
      return last && new Run(mediaId, from, to - from)
    },
  }

  const lock: Lock = async (work) => {
    if (!world.faults.noLock) {
      if (world.locks.holder) {
        await new Promise<void>((enter) => world.locks.queue.push({ life, enter }))
      } else world.locks.holder = life
    }
    try {
      return await work()
    } finally {
      if (life.alive && world.locks.holder === life) release(world)
    }
  }

  const fetch: Fetch = async (url, init) => {
    await moment()
    world.inspector.enter(life)
    try {
      if (init.method === 'PATCH') noteSent(world, url, init)
      const response = await world.network.fetch(url, changed(world, init))
      await moment()
      return misheard(world, url, init.method, response)
    } catch (error) {
      await moment()
      throw error
    } finally {
      world.inspector.leave(life)
    }
  }

  return { caller: { fetch, clock, store }, moment, ports: { store: withFaults(world, store), clock, lock } }
}

/** The same over the acts of the device. */
export function makeActPorts(world: World, life: Life): ReturnType<typeof makeContextPorts> {
  const { caller, ports, moment } = makeContextPorts(world, life)
  const { device, faults } = world
  const act = async <T>(effect: () => T): Promise<T> => {
    await moment()
    const value = effect()
    await moment()
    return value
  }
  const store: QueueStore = {
    ...ports.store,
    deliveries: (owner) =>
      act(() => {
        if (faults.noOwner) return [...device.acts.values()].map((it) => ({ ...it, ownerId: owner }))
        if (faults.anyOrder) return [...device.acts.values()].filter((it) => it.ownerId === owner)
        return device.readyActs(owner)
      }),
    changeFacts: (id, change) => act(() => device.changeActFacts(id, change)),
    finish: (job) => act(() => device.dropAct(job.id)),
    drop: (id) => act(() => device.dropAct(id)),
  }
  return { caller, ports: { ...ports, store }, moment }
}

/** Planted: a new idempotency key at each try. */
function changed(world: World, init: RequestInit): RequestInit {
  const headers = init.headers as Record<string, string>
  if (!world.faults.freshKeys || !headers['Idempotency-Key']) return init
  return { ...init, headers: { ...headers, 'Idempotency-Key': v5ish(`key ${world.random.next()}`) } }
}

/** Planted: every job counts as one's own. */
function withFaults(world: World, store: QueueStore): QueueStore {
  if (!world.faults.noOwner) return store
  return {
    ...store,
    deliveries: async (ownerId) => {
      await store.deliveries(ownerId)
      return world.device.deliveries().map((it) => ({ ...it, ownerId }))
    },
  }
}

/** Planted: the server's offset is not heard: the upload begins again at 0, or goes on where the device left off. */
function misheard(world: World, url: string, method: string | undefined, response: Response): Response {
  const { deaf, ownOffset } = world.faults
  const headers = new Headers(response.headers)
  if ((!deaf && !ownOffset) || method !== 'HEAD' || !headers.has('Upload-Offset')) return response
  headers.set('Upload-Offset', String(deaf ? 0 : (world.sent.get(url) ?? 0)))
  return { status: response.status, headers, text: () => response.text() } as Response
}

/** What left the device of an upload, arrived or not. */
function noteSent(world: World, url: string, init: RequestInit): void {
  const from = Number((init.headers as Record<string, string>)['Upload-Offset'])
  world.sent.set(url, from + (init.body as Run).size)
}
