// A worker client sends one request at a time, each with a timeout.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WorkerClient, WorkerFailed, WorkerTimeout } from './worker-client.ts'

/** A worker whose replies the test sends. */
class FakeWorker extends EventTarget {
  requests: unknown[] = []
  terminated = false
  postMessage(request: unknown): void {
    this.requests.push(request)
  }
  terminate(): void {
    this.terminated = true
  }
  reply(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

let workers: FakeWorker[] = []
const newClient = () =>
  new WorkerClient<string, string>(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker as never
  }, 1000)
const flush = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  workers = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the second request waits for the first; one worker handles both', async () => {
  const client = newClient()
  const [first, second] = [client.request('a'), client.request('b')]
  await flush()
  expect(workers[0]?.requests).toEqual(['a'])
  workers[0]?.reply('A')
  expect(await first).toBe('A')
  await flush()
  expect(workers[0]?.requests).toEqual(['a', 'b'])
  workers[0]?.reply('B')
  expect(await second).toBe('B')
  expect(workers).toHaveLength(1)
})

test('a worker without a reply is terminated, and the next request gets a new one', async () => {
  const client = newClient()
  const silent = client.request('a').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await silent).toBeInstanceOf(WorkerTimeout)
  expect(workers[0]?.terminated).toBe(true)
  const next = client.request('b')
  await flush()
  workers[1]?.reply('B')
  expect(await next).toBe('B')
})

test('a worker that breaks or cannot be created is reported as failed', async () => {
  const client = newClient()
  const broken = client.request('a').catch((error: unknown) => error)
  await flush()
  workers[0]?.dispatchEvent(new Event('error'))
  expect(await broken).toBeInstanceOf(WorkerFailed)
  const refusing = new WorkerClient<string, string>(() => {
    throw new Error('refused')
  }, 1000)
  await expect(refusing.request('a')).rejects.toBeInstanceOf(WorkerFailed)
})

test('an aborted request terminates its worker, and an aborted waiting request is not sent', async () => {
  const client = newClient()
  const [first, second] = [new AbortController(), new AbortController()]
  const running = client.request('a', first.signal).catch((error: unknown) => error)
  const waiting = client.request('b', second.signal).catch((error: unknown) => error)
  await flush()
  second.abort('b is gone')
  first.abort('a is gone')
  expect(await running).toBe('a is gone')
  expect(workers[0]?.terminated).toBe(true)
  expect(await waiting).toBe('b is gone')
  expect(workers).toHaveLength(1)
  const next = client.request('c')
  await flush()
  workers[1]?.reply('C')
  expect(await next).toBe('C')
})

test('an idle worker is terminated', async () => {
  const client = newClient()
  const made = client.request('a')
  await flush()
  workers[0]?.reply('A')
  await made
  await vi.advanceTimersByTimeAsync(9000)
  expect(workers[0]?.terminated).toBe(false)
  await vi.advanceTimersByTimeAsync(2000)
  expect(workers[0]?.terminated).toBe(true)
})
