// When a server counts as silent, and what a search finds.
import { describe, expect, test } from 'vitest'
import { type Found, findServer } from './search.ts'
import { isSilent, watchTimes } from './watch.ts'

/** Judges searches in turn: what each found, bytes received until then, and its time in s. */
function judged(...searches: (readonly [Found['is'], number, number])[]): boolean[] {
  const last = { received: 0, at: 0, failed: 0 }
  return searches.map(([found, received, s]) =>
    isSilent(last, found, { received, now: s * 1000 }, watchTimes.silence),
  )
}

test('a server that replies is not silent', () => {
  expect(judged(['server', 0, 1], ['server', 0, 60], ['server', 0, 120])).toEqual([false, false, false])
})

test('it is silent after eight seconds in which no connection has a byte, and after eight more', () => {
  const silence = [5, 8.9, 9, 10, 16.9, 17].map((s) => ['no reply', 5, s] as const)
  expect(judged(['server', 5, 1], ...silence)).toEqual([false, false, false, true, false, false, true])
})

test.each([
  ['a byte on any connection', ['no reply', 6, 8.9]],
  ['a refusal by the server', ['refused', 5, 8.9]],
] as const)('%s is a sign of it', (_, sign) => {
  expect(
    judged(['server', 5, 1], ['no reply', 5, 5], sign, ['no reply', 6, 9], ['no reply', 6, 10]),
  ).not.toContain(true)
})

test('one failed search proves nothing, however late: this process may have been paused', () => {
  expect(judged(['server', 5, 1], ['no reply', 5, 600], ['server', 5, 601])).not.toContain(true)
})

describe('a search', () => {
  test('without a server finds no reply', async () => {
    expect(await findServer('postgres://x@127.0.0.1:1/none', 5000).found).toEqual({ is: 'no reply' })
  })
  test('that is ended finds no reply', async () => {
    // An address of documentation (RFC 5737), which has no machine.
    const search = findServer('postgres://x@192.0.2.1/none', 60_000)
    search.end()
    expect(await search.found).toEqual({ is: 'no reply' })
  })
})
