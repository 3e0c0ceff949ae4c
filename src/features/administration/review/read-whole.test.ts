// A recording counts as read only with all of its bytes.
import { afterEach, expect, test, vi } from 'vitest'
import { readWhole } from './read-whole.ts'

afterEach(() => vi.unstubAllGlobals())

const reading = (percents: number[] = []) => ({
  mime: 'video/webm',
  length: 4,
  signal: new AbortController().signal,
  onProgress: (percent: number) => void percents.push(percent),
})

/** A body in two pieces, the second of which may break. */
const body = (second: string | Error) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      if (second === '') return controller.close()
      if (second instanceof Error) return controller.error(second)
      controller.enqueue(new TextEncoder().encode(second))
      second = ''
    },
    start: (controller) => controller.enqueue(new TextEncoder().encode('ab')),
  })

test('all bytes are the recording, and its progress is told', async () => {
  vi.stubGlobal('fetch', async () => new Response(body('cd')))
  const percents: number[] = []
  const blob = await readWhole('/file', reading(percents))
  expect([await blob?.text(), blob?.type, percents]).toEqual(['abcd', 'video/webm', [50, 100]])
})

test.each([
  ['a body that ended early', () => Promise.resolve(new Response(body('c')))],
  ['a body that broke', () => Promise.resolve(new Response(body(new Error('cut'))))],
  ['a part', () => Promise.resolve(new Response(body('cd'), { status: 206 }))],
  ['a refusal', () => Promise.resolve(new Response('{}', { status: 403 }))],
  ['no network', () => Promise.reject(new TypeError('failed'))],
])('%s is none', async (_, fetched) => {
  vi.stubGlobal('fetch', fetched)
  expect(await readWhole('/file', reading())).toBeUndefined()
})
