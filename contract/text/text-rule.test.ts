// Text rules: size in bytes and characters, marks, and the characters of names.
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { asLines, bytesFor, hasMoreBytes, isInvisible, keepsTo, lengthOf, textProblem } from './text-rule.ts'
import { superLinear } from '#contract/testing/growth.ts'
import { shownIn } from '#contract/testing/test-name.ts'

const lines = (text: string, max = 50) => textProblem(text, { max, shape: 'lines' })
const name = (text: string, max = 50) => textProblem(text, { max, shape: 'name' })

const keepsTo50 = v.pipe(v.string(), keepsTo({ max: 50, shape: 'lines' }))

/** Words of living languages, as they are written. */
const written = [
  'か\u3099き\u3099く\u3099',
  'あ゙い゙っ゙',
  'ﾊﾟﾋﾟﾌﾟ',
  'ที่นั่นน้ำแข็ง',
  'بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ',
  'क्षत्रिय हिन्दी स्त्री',
  'הָאָרֶץ בְּרֵאשִׁ֖ית',
  'ཧཱུྃ',
  'မြန်မာ',
  'ക്ഷേത്രം',
  'Việt Nam',
  '👩‍👩‍👧👨‍👦',
  '🏳️‍🌈❤️‍🔥☺️',
  '👍🏽',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '3️⃣',
  '葛\u{e0100}城',
  '',
]

test.each(written)('%j satisfies the rule, as a text and as a name', (text) => {
  expect([lines(text), name(text)]).toEqual([undefined, undefined])
})

describe('size', () => {
  test('bytes are 16 for each character of the limit', () => {
    expect(bytesFor(10_000)).toBe(160_000)
    const family = '👨‍👩‍👧‍👦'
    expect(new TextEncoder().encode(family).length).toBe(25)
    expect(lines(family.repeat(32), 50)).toBeUndefined()
    expect(lines(family.repeat(33), 50)).toBe('too_many_bytes')
    expect(lines(family.repeat(50), 50)).toBe('too_many_bytes')
    expect(lines(family.repeat(51), 50)).toBe('too_long')
  })

  test.each(
    [
      ['あ'.repeat(51), 'too_long'],
      ['x'.repeat(1_000_000), 'too_long'],
      ['あ'.repeat(1_000_000), 'too_long'],
      ['👍🏽'.repeat(51), 'too_long'],
      [`a${'\u0301'.repeat(400_000)}`, 'too_many_bytes'],
      [`a${'\u200d'.repeat(400_000)}`, 'too_many_bytes'],
      // Only the beginning is counted: as many UTF-16 units as bytes are allowed.
      [`a${'\u0301'.repeat(799)}${'b'.repeat(1000)}`, 'too_many_bytes'],
    ].map(([text = '', problem = '']) => [shownIn(text), problem, text] as const),
  )('%s: %s', (_, problem, text) => {
    expect(lines(text)).toBe(problem)
  })

  test.each(['', 'abc', 'é', 'あ', '👍', 'aé あ👍\ud800', '\ud800\ud800'])(
    'bytes of %j are counted as UTF-8 encodes them',
    (text) => {
      const bytes = new TextEncoder().encode(text).length
      // Half of a pair is encoded as three bytes and counted as two.
      const counted = bytes - (text.match(/\p{Cs}/gu)?.length ?? 0)
      expect([hasMoreBytes(text, counted), hasMoreBytes(text, counted - 1)]).toEqual([false, true])
    },
  )

  test('a counter beside a field is exact for texts of usual letters', () => {
    expect(lengthOf('あ'.repeat(700), 50)).toBe(700)
    expect(lengthOf('👩‍👩‍👧が', 50)).toBe(2)
  })

  test('a counter beside a field reads as many UTF-16 units as bytes are allowed', () => {
    expect(lengthOf('あ'.repeat(800), 50)).toBe(800)
    expect(lengthOf('あ'.repeat(1_000_000), 50)).toBe(800)
  })

  test('the issue of a refused text has the limit, and no copy of the text as what was received', () => {
    const result = v.safeParse(keepsTo50, 'あ'.repeat(51))
    const issue = { type: 'text', message: 'too_long', requirement: 50, expected: null, received: 'text' }
    expect(result.issues).toEqual([expect.objectContaining(issue)])
  })

  test('long texts of any characters are refused, in linear time', { timeout: 60_000 }, async () => {
    const characters = ['\u0301', '\u200d', 'a\u0301', '👩\u200d', 'क्', '\u1100', '🇯']
    const refuse = (text: string) => lines(text, 10_000)
    for (const it of characters) expect(refuse(it.repeat(1_000_000 / it.length))).toMatch(/too_/)
    expect(await superLinear(refuse, characters, 256 * 1024)).toEqual([])
  })
})

describe('marks', () => {
  test('eight in a row are accepted, nine are refused, and format characters between them change nothing', () => {
    expect(lines(`a${'\u0301'.repeat(8)}`)).toBeUndefined()
    expect(lines(`a${'\u0301'.repeat(9)}`)).toBe('too_many_marks')
    expect(lines(`a${'\u0301\u200d'.repeat(9)}`)).toBe('too_many_marks')
    expect(lines(`a${'\u20dd'.repeat(9)}`)).toBe('too_many_marks')
    expect(lines(`a${'\ufe0f'.repeat(9)}`)).toBe('too_many_marks')
    expect(lines('e\u0301'.repeat(20))).toBeUndefined()
  })
})

describe('characters of a name', () => {
  test.each([
    '花\u0000子',
    '花\u001b子',
    '花\u0085子',
    '花\n子',
    '花\t子',
    '花\u2029子',
    '花\ud800',
    '\u202e花',
    '花\u2067',
  ])('%j is refused', (text) => expect(name(text)).toBe('control_characters'))

  test.each([
    '\u200b',
    '\u3164',
    '\uffa0',
    '\u2800',
    '\u00ad\u2060',
    '\u{1d159}',
    '\u180e',
    '\u0301',
    '　\u200b',
  ])('%j cannot be seen', (text) => {
    expect([name(text), isInvisible(text)]).toEqual(['invisible', true])
  })

  test('a text of several lines may have lines and Arabic marks of direction, but no NUL', () => {
    expect(lines('一行\n二行\t\u202bعربي\u202c')).toBeUndefined()
    expect(lines('夜\u0000')).toBe('control_characters')
  })
})

test('a text is stored with one character for a line end and without NUL', () => {
  expect(asLines('a\r\nb\nc\0d')).toBe('a\nb\ncd')
})

test.each([
  ['a', 1],
  ['\u007f', 1],
  ['\u0080', 2],
  ['\u07ff', 2],
  ['\u0800', 3],
  ['\uffff', 3],
  ['𠮷', 4],
  ['\u{10ffff}', 4],
])('%j has so many bytes in UTF-8', (text, bytes) => {
  for (const times of [1, 7]) {
    const long = text.repeat(times)
    expect(Buffer.byteLength(long)).toBe(bytes * times)
    expect([hasMoreBytes(long, bytes * times - 1), hasMoreBytes(long, bytes * times)]).toEqual([true, false])
  }
})
