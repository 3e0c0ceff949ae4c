// The hashed text of an entry, and breaks of the chain at their entries.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import {
  anchorOf,
  type Break,
  chained,
  type ChainedEntry,
  createVerifier,
  emptyHead,
  type Head,
  readAnchor,
  textOf,
} from './chain.ts'

const mac = (text: string) => createHmac('sha256', 'a key for tests').update(text).digest('base64url')
const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`
const entry = (n: number) => ({
  id: idOf(n),
  actorId: idOf(100),
  act: 'fee_rate',
  subjectKind: 'user',
  subjectId: idOf(200),
  detail: { rate: 800, before: 1000, first_day: '2026-12-01' },
  ip: '192.0.2.1',
  at: Date.UTC(2026, 10, 26, 3, 4, 5, 6) + n,
})
const log = (count: number): ChainedEntry[] =>
  chained(
    emptyHead,
    Array.from({ length: count }, (_, i) => entry(i + 1)),
    mac,
  )

/** The first break of entries, and the last one that is right. */
function verified(entries: readonly ChainedEntry[], anchor?: Head): [Break | undefined, number] {
  const verifier = createVerifier((text) => [mac(text)], anchor)
  for (const it of entries) {
    const broken = verifier.next(it)
    if (broken) return [broken, verifier.head().seq]
  }
  return [verifier.end(), verifier.head().seq]
}

describe('the hashed text', () => {
  test('is a JSON array in a fixed order, with the hash before it', () => {
    expect(textOf('before', { ...entry(1), seq: 7 })).toBe(
      '["todoke-audit-1","before",7,"01930000-0000-7000-8000-000000000001","2026-11-26T03:04:05.007Z",' +
        '"01930000-0000-7000-8000-000000000100","fee_rate","user","01930000-0000-7000-8000-000000000200",' +
        '"192.0.2.1",{"before":1000,"first_day":"2026-12-01","rate":800}]',
    )
  })

  test('has fixed hashes', () => {
    expect(log(3).map((it) => [it.seq, it.hash])).toEqual([
      [1, 'uIcHB-QzixktQsas4o0M_lPSNR15NwDd1WEbCZIyv1s'],
      [2, 'ScCyWpAzRXE_2pgv6DbVx-RlCx6yQ0SZgVbWb46h5OI'],
      [3, '5uOFWNhtimk2rTWMVyJA-R6Z87I6uy5sH28LkQNNntE'],
    ])
  })

  test.each([
    ['nested objects', { b: [{ d: 1, c: null }], a: {} }, { a: {}, b: [{ c: null, d: 1 }] }],
    ['text of several scripts', { é: 'あ"', z: true }, { z: true, é: 'あ"' }],
  ])('does not depend on the order in which keys are stored: %s', (_, one, other) => {
    const text = (detail: object) => textOf('', { ...entry(1), seq: 1, detail })
    expect(text(one)).toBe(text(other))
    expect(text(one)).not.toBe(text({}))
  })

  test('has a list in the detail as a list, in its order', () => {
    const text = (detail: object) => textOf('', { ...entry(1), seq: 1, detail })
    expect(text({ b: [{ d: 1, c: null }, 'x'], a: {} })).toMatch(
      /,\{"a":\{\},"b":\[\{"c":null,"d":1\},"x"\]\}\]$/,
    )
    expect(text({ ids: ['x', 'y'] })).not.toBe(text({ ids: ['y', 'x'] }))
    expect(text({ ids: ['x'] })).not.toBe(text({ ids: { 0: 'x' } }))
  })

  test('separates neighbouring fields', () => {
    const text = (act: string, subjectKind: string) => textOf('', { ...entry(1), seq: 1, act, subjectKind })
    expect(text('ab', 'c')).not.toBe(text('a', 'bc'))
    expect(text('a","b', 'c')).not.toBe(text('a', 'b","c'))
  })
})

describe('a verification', () => {
  test('of an unchanged log finds nothing, and its head is the newest entry', () => {
    const entries = log(5)
    expect(verified(entries)).toEqual([undefined, 5])
    expect(verified([])).toEqual([undefined, 0])
    expect(verified(entries, entries[2])).toEqual([undefined, 5])
    expect(verified(entries, entries[4])).toEqual([undefined, 5])
  })

  test.each([
    ['id', idOf(9)],
    ['actorId', idOf(9)],
    ['act', 'refund'],
    ['subjectKind', 'payment'],
    ['subjectId', idOf(9)],
    ['detail', { rate: 800, before: 1000, first_day: '2026-12-02' }],
    ['ip', ''],
    ['at', entry(3).at + 1],
    ['hash', log(3)[0]?.hash ?? ''],
  ])('finds an entry with another %s at its number', (field, value) => {
    const entries = log(5).map((it) => (it.seq === 3 ? { ...it, [field]: value } : it))
    const id = field === 'id' ? idOf(9) : idOf(3)
    expect(verified(entries)).toEqual([{ is: 'changed', seq: 3, id }, 2])
  })

  test('finds a changed entry that was hashed without the key', () => {
    const [, second] = log(3)
    const forged = { ...entry(3), ip: '198.51.100.1', seq: 3 }
    const hash = createHmac('sha256', '')
      .update(textOf(defined(second?.hash), forged))
      .digest('base64url')
    const entries = log(5).map((it) => (it.seq === 3 ? { ...forged, hash } : it))
    expect(verified(entries)[0]).toEqual({ is: 'changed', seq: 3, id: idOf(3) })
  })

  test('finds a removed entry at its number, also the first one', () => {
    expect(verified(log(5).filter((it) => it.seq !== 3))).toEqual([{ is: 'removed', seq: 3, id: null }, 2])
    expect(verified(log(5).slice(1))).toEqual([{ is: 'removed', seq: 1, id: null }, 0])
  })

  test('finds a removed entry whose gap was closed by new numbers', () => {
    const closed = log(5).flatMap((it) =>
      it.seq < 3 ? [it] : it.seq === 3 ? [] : [{ ...it, seq: it.seq - 1 }],
    )
    expect(verified(closed)).toEqual([{ is: 'changed', seq: 3, id: idOf(4) }, 2])
  })

  test('finds an inserted entry at its number, with a number of its own or with that of another', () => {
    const entries = log(5)
    const [one, two, three, ...rest] = entries as [ChainedEntry, ChainedEntry, ChainedEntry]
    const extra = { ...entry(9), seq: 3, hash: three.hash }
    const moved = [one, two, extra, ...[three, ...rest].map((it) => ({ ...it, seq: it.seq + 1 }))]
    expect(verified(moved)[0]).toEqual({ is: 'changed', seq: 3, id: idOf(9) })
    expect(verified([one, two, three, extra, ...rest])[0]).toEqual({ is: 'inserted', seq: 3, id: idOf(9) })
  })

  test('finds two entries that were swapped at the first of them', () => {
    const entries = log(5)
    const swapped = entries.map((it) => {
      const other = it.seq === 3 ? entries[3] : it.seq === 4 ? entries[2] : it
      return { ...(other ?? it), seq: it.seq }
    })
    expect(verified(swapped)).toEqual([{ is: 'changed', seq: 3, id: idOf(4) }, 2])
  })

  test('finds a missing end only by an anchor, at the first missing entry', () => {
    const entries = log(5)
    expect(verified(entries.slice(0, 3))).toEqual([undefined, 3])
    expect(verified(entries.slice(0, 3), entries[4])).toEqual([{ is: 'cut', seq: 4, id: null }, 3])
    expect(verified([], entries[4])).toEqual([{ is: 'cut', seq: 1, id: null }, 0])
  })

  test('finds a log that was written again with the key, at the entry of the anchor', () => {
    const anchor = log(5)[2]
    const again = chained(
      emptyHead,
      Array.from({ length: 5 }, (_, i) => ({ ...entry(i + 1), ip: '' })),
      mac,
    )
    expect(verified(again)).toEqual([undefined, 5])
    expect(verified(again, anchor)).toEqual([{ is: 'replaced', seq: 3, id: idOf(3) }, 2])
  })
})

test('an anchor is read as it was printed, and no other text is one', () => {
  const [head] = log(1)
  const hash = defined(head?.hash)
  for (const seq of [1, 12, 999_999_999_999_999])
    expect(readAnchor(anchorOf({ seq, hash }))).toEqual({ seq, hash })
  const others = [
    '',
    '1',
    '1:',
    ':x',
    `x:${hash}`,
    `:${hash}`,
    `1:${hash}x`,
    `1:${hash} `,
    `1:${hash.slice(1)}`,
  ]
  for (const it of [...others, `x1:${hash}`, ` 1:${hash}`, `-1:${hash}`, `1000000000000000:${hash}`])
    expect(readAnchor(it)).toBeUndefined()
})
