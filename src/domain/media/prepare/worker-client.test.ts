// One order at a time, each within its time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WorkerClient, WorkerFailed, WorkerTimeout } from './worker-client.ts'

/** A worker whose answers are given by hand. */
class Puppet extends EventTarget {
  orders: unknown[] = []
  terminated = false
  postMessage(order: unknown): void {
    this.orders.push(order)
  }
  terminate(): void {
    this.terminated = true
  }
  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

let hired: Puppet[] = []
const room = () =>
  new WorkerClient<string, string>(() => {
    const puppet = new Puppet()
    hired.push(puppet)
    return puppet as never
  }, 1000)
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  hired = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the second order waits for the first; one worker does both', async () => {
  const it = room()
  const [first, second] = [it.request('a'), it.request('b')]
  await settle()
  expect(hired[0]?.orders).toEqual(['a'])
  hired[0]?.answer('A')
  expect(await first).toBe('A')
  await settle()
  expect(hired[0]?.orders).toEqual(['a', 'b'])
  hired[0]?.answer('B')
  expect(await second).toBe('B')
  expect(hired).toHaveLength(1)
})

test('a worker that says nothing is stopped, and the next order gets a new one', async () => {
  const it = room()
  const silent = it.request('a').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await silent).toBeInstanceOf(WorkerTimeout)
  expect(hired[0]?.terminated).toBe(true)
  const next = it.request('b')
  await settle()
  hired[1]?.answer('B')
  expect(await next).toBe('B')
})

test('a worker that breaks or cannot be hired is said to be broken', async () => {
  const it = room()
  const broken = it.request('a').catch((error: unknown) => error)
  await settle()
  hired[0]?.dispatchEvent(new Event('error'))
  expect(await broken).toBeInstanceOf(WorkerFailed)
  const nobody = new WorkerClient<string, string>(() => {
    throw new Error('refused')
  }, 1000)
  await expect(nobody.request('a')).rejects.toBeInstanceOf(WorkerFailed)
})

test('an order that is no longer wanted stops its worker, and one that waits never begins', async () => {
  const it = room()
  const [first, second] = [new AbortController(), new AbortController()]
  const running = it.request('a', first.signal).catch((error: unknown) => error)
  const waiting = it.request('b', second.signal).catch((error: unknown) => error)
  await settle()
  second.abort('b is gone')
  first.abort('a is gone')
  expect(await running).toBe('a is gone')
  expect(hired[0]?.terminated).toBe(true)
  expect(await waiting).toBe('b is gone')
  expect(hired).toHaveLength(1)
  const next = it.request('c')
  await settle()
  hired[1]?.answer('C')
  expect(await next).toBe('C')
})

test('an idle worker is let go', async () => {
  const it = room()
  const made = it.request('a')
  await settle()
  hired[0]?.answer('A')
  await made
  await vi.advanceTimersByTimeAsync(9000)
  expect(hired[0]?.terminated).toBe(false)
  await vi.advanceTimersByTimeAsync(2000)
  expect(hired[0]?.terminated).toBe(true)
})
