// The form rules of specification section 5, over the table of good and bad values.
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { accountNameCard, ageOn, day, password, passwordConditions } from './rules.ts'
import { differing } from './testing/cells.ts'
import { aliens, labelOf } from './testing/rule-case.ts'
import { ruleCases } from './testing/rule-cases.ts'

const firstIssue = (issues: readonly v.BaseIssue<unknown>[] | undefined) =>
  issues?.map((it) => `${v.getDotPath(it) ?? ''}: ${it.message}`)[0]

for (const it of ruleCases) {
  const { schema, beside, good, bad } = it
  const parse = (value: unknown) => v.safeParse<v.GenericSchema>(schema, { ...beside, value })
  describe(`rule ${labelOf(it)}`, () => {
    test('accepts each good value, and its own result again, unchanged', () => {
      const cells = good.flatMap(([typed, parsed = typed]) => {
        const expected = { ...beside, value: parsed }
        return [typed, String(parsed)].map((of) => {
          const { issues, output } = parse(of)
          return { of, expected, found: firstIssue(issues) ?? output }
        })
      })
      expect(differing(cells)).toEqual([])
    })
    test('refuses each bad value with its code and bound', () => {
      const cells = bad.map(([typed, code, bound]) => {
        const { issues } = parse(typed)
        const [issue] = issues ?? []
        const found = [firstIssue(issues), ...(bound === undefined ? [] : [issue?.requirement])]
        return { of: typed, expected: [`value: ${code}`, ...(bound === undefined ? [] : [bound])], found }
      })
      expect(differing(cells)).toEqual([])
    })
    test('refuses what is no text', () => {
      const cells = aliens.map(([sent, code]) => ({
        of: sent,
        expected: code,
        found: parse(sent).issues?.[0]?.message,
      }))
      expect(differing(cells)).toEqual([])
    })
  })
}

test('every rule has ten accepted and ten refused values', () => {
  const rules = Map.groupBy(ruleCases, ({ rule }) => rule)
  const few = [...rules].filter(([rule, all]) => {
    const good = all.flatMap((it) => it.good)
    const bad = all.flatMap((it) => it.bad)
    // The only text that `required` refuses is none: what else fails it is no text.
    const refused = rule === 'required' ? [...bad, ...aliens] : bad
    return good.length < 10 || refused.length < 10
  })
  expect(few.map(([rule]) => rule)).toEqual([])
})

describe('whole years', () => {
  const at = (iso: string) => Date.parse(iso)
  test.each([
    ['2008-11-21', '2026-11-20T14:59:59Z', 17],
    ['2008-11-21', '2026-11-20T15:00:00Z', 18],
    ['2008-02-29', '2026-02-28T12:00:00Z', 17],
    ['2008-02-29', '2026-02-28T15:00:00Z', 18],
    ['2008-02-29', '2028-02-29T00:00:00Z', 20],
  ])('born %s, at %s: %i', (born, now, years) => {
    expect(ageOn(born, at(now))).toBe(years)
  })
})

test.each(['+012024-01-01', '-000001-01-01', '12024-01-01', '2024-01-01T', '2024-01-01 ', ' 2024-01-01'])(
  '%j is no day: a year has four digits, and no time follows',
  (typed) => {
    expect(firstIssue(v.safeParse(day, typed).issues)).toBe(': malformed')
  },
)

/** Checks letter by letter, without a pattern. */
function isPassword(text: string): boolean {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const others = '0123456789@$!%*#?&^_-'
  const each = Array.from(text)
  return (
    text.length >= 8 &&
    text.length <= 32 &&
    each.every((it) => letters.includes(it) || others.includes(it)) &&
    each.some((it) => letters.includes(it)) &&
    each.some((it) => others.includes(it))
  )
}

const nearPassword = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...Array.from('abzAZ0189@$!%*#?&^_-')),
    minLength: 6,
    maxLength: 34,
  }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('aZ1@ +¥ａ１あ\n\u0000')),
    minLength: 7,
    maxLength: 33,
  }),
)

test('password: any text is accepted exactly when the sentence of the specification holds', () => {
  fc.assert(
    fc.property(nearPassword, (typed) => {
      const { success, output } = v.safeParse(password, typed)
      expect(success).toBe(isPassword(typed))
      if (success) expect(output).toBe(typed)
      expect(Object.values(passwordConditions).every((holds) => holds(typed))).toBe(success)
    }),
    { numRuns: 3000 },
  )
})

/** By code point, without a pattern. */
function isCardLetter(it: string): boolean {
  const at = it.codePointAt(0) ?? 0
  const within = (from: number, to: number) => at >= from && at <= to
  return (
    within(0x30a1, 0x30fa) || // ァ–ヺ
    within(0xff21, 0xff3a) || // Ａ–Ｚ
    within(0xff41, 0xff5a) || // ａ–ｚ
    within(0xff10, 0xff19) || // ０–９
    [0x30fc, 0xff08, 0xff09, 0xff0e, 0x3000].includes(at) // ー（）． and the space
  )
}

const narrow = 'ｱｶｻﾀﾊﾞﾊﾟｰabzAZ019().'
const nearName = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('アカヴヺーＡｚ０９（）．　')), maxLength: 102 }),
  fc.string({ unit: fc.constantFrom(...Array.from('アｶﾞa1().　 ・あ山-ー')), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

test('accountNameCard: full-width text is accepted exactly when it has 1–100 of the letters, and stays unchanged', () => {
  fc.assert(
    fc.property(nearName, (typed) => {
      const { success, output } = v.safeParse(accountNameCard, typed)
      if (success) {
        expect(Array.from(output).every(isCardLetter)).toBe(true)
        expect(output.length >= 1 && output.length <= 100).toBe(true)
      }
      const bare = typed.trim()
      const all = Array.from(bare).every(isCardLetter) && bare.length >= 1 && bare.length <= 100
      if (all) expect(output).toBe(bare)
    }),
    { numRuns: 3000 },
  )
})

test('accountNameCard: half-width letters are accepted too, and become full-width', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from(narrow)), minLength: 1, maxLength: 50 }),
      (typed) => {
        // A voiced mark without its letter stays a separate character, which the rule does not allow.
        fc.pre(!/(^|[^ｶ-ﾄﾊ-ﾎ])[ﾞﾟ]|[ｶ-ﾄ]ﾟ|[ﾅ-ﾉ][ﾞﾟ]/.test(typed))
        const { success, output } = v.safeParse(accountNameCard, typed)
        expect(success).toBe(true)
        expect(Array.from(output as string).every(isCardLetter)).toBe(true)
      },
    ),
  )
})
