// Changes of the database, as other pages and the worker receive them.
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type Change, emitChange, isForQueue, onChange } from './changes.ts'

const other = new BroadcastChannel('todoke-device')
const heardThere: Change[] = []
other.addEventListener('message', (event: MessageEvent<Change>) => void heardThere.push(event.data))

afterAll(() => other.close())

const job: Change = { store: 'jobs', id: 'a' }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  heardThere.length = 0
})

function listen(): Change[] {
  const emitted: Change[] = []
  stops.push(onChange((change) => emitted.push(change)))
  return emitted
}

/** Resolves once `emitted` has this many changes. */
const until = async (emitted: readonly Change[], count: number) => {
  while (emitted.length < count) await new Promise((resolve) => setImmediate(resolve))
}

test('a change of another context is delivered to every listener until it unsubscribes', async () => {
  const [one, two] = [listen(), listen()]
  other.postMessage({ store: 'session' })
  await until(two, 1)
  stops.shift()?.()
  other.postMessage(job)
  await until(two, 2)
  expect([one, two]).toEqual([[{ store: 'session' }], [{ store: 'session' }, job]])
})

test('a change is delivered in this context at once, and in the others', async () => {
  const [one, two] = [listen(), listen()]
  emitChange(job)
  expect([one, two]).toEqual([[job], [job]])
  await until(heardThere, 1)
  expect(heardThere).toEqual([job])
})

test('a page that has sent no change yet receives those of other contexts', async () => {
  vi.resetModules()
  const loaded = await import('./changes.ts')
  const received: Change[] = []
  stops.push(loaded.onChange((change) => received.push(change)))
  other.postMessage(job)
  await until(received, 1)
  expect(received).toEqual([job])
})

test('the queue runs again for jobs, preuploads, mutations and sessions, and for nothing else', () => {
  const changes: Change[] = [
    job,
    { store: 'early', id: 'a' },
    { store: 'acts', id: 'a' },
    { store: 'session' },
    { store: 'drafts', id: 'a' },
    { store: 'media', id: 'a' },
    { store: 'receipts', id: 'a' },
    { store: 'identity', id: 'a' },
    { store: 'chunks', id: 'a', index: 0 },
  ]
  expect(changes.filter(isForQueue).map((it) => it.store)).toEqual(['jobs', 'early', 'acts', 'session'])
})
