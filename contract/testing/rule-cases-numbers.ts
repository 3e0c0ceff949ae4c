// Values of the rules about numbers, codes and days.
import * as v from 'valibot'
import { mailCode } from '#contract/accounts/mail-code.ts'
import { confirmOld, max, min, numeric } from '#contract/rules.ts'
import { one, type RuleCases } from './rule-case.ts'

/** A day in Japan, whole years before today and a few days on. */
function yearsAgo(years: number, days = 0): string {
  const at = new Date(Date.now() + 9 * 3600_000)
  return new Date(Date.UTC(at.getUTCFullYear() - years, at.getUTCMonth(), at.getUTCDate() + days))
    .toISOString()
    .slice(0, 10)
}

export const numberCases: readonly RuleCases[] = [
  {
    rule: 'min:100',
    schema: one(v.pipe(numeric, min(100))),
    good: [
      ['100', 100],
      ['101', 101],
      ['１００', 100],
      ['1,000', 1000],
      ['１，０００', 1000],
      [' 250 ', 250],
      ['100.5', 100.5],
      ['＋300', 300],
      ['999999999999', 999_999_999_999],
      ['1,234,567.5', 1_234_567.5],
      ['12,345', 12_345],
      ['123,456', 123_456],
    ],
    bad: [
      ['99', 'too_small', 100],
      ['９９', 'too_small', 100],
      ['99.9', 'too_small', 100],
      ['0', 'too_small', 100],
      ['-100', 'too_small', 100],
      ['−500', 'too_small', 100],
      ['', 'required'],
      ['百', 'number'],
      ['100円', 'number'],
      ['1,00', 'number'],
      ['1234,567', 'number'],
      ['1e3', 'number'],
      ['0x64', 'number'],
    ],
  },
  {
    rule: 'max:100',
    schema: one(v.pipe(numeric, max(100))),
    good: [
      ['100', 100],
      ['99.99', 99.99],
      ['0', 0],
      ['-1', -1],
      ['－１', -1],
      ['１００', 100],
      ['　50　', 50],
      ['007', 7],
      ['−1,234', -1234],
      ['+９９．５', 99.5],
    ],
    bad: [
      ['101', 'too_large', 100],
      ['１０１', 'too_large', 100],
      ['100.01', 'too_large', 100],
      ['1,000', 'too_large', 100],
      ['９９９９', 'too_large', 100],
      ['　', 'required'],
      ['五十', 'number'],
      ['1 000', 'number'],
      ['NaN', 'number'],
      ['Infinity', 'number'],
    ],
  },
  {
    rule: 'confirmOld',
    schema: one(confirmOld),
    good: [
      [yearsAgo(18)],
      [yearsAgo(18, -1)],
      [yearsAgo(19)],
      [yearsAgo(100)],
      ['1999-04-03'],
      ['2000-02-29'],
      ['1970-01-01'],
      ['1960-12-31'],
      [yearsAgo(129)],
      ['1996-02-29'],
    ],
    bad: [
      ['', 'required'],
      [yearsAgo(18, 1), 'under_age'],
      [yearsAgo(17), 'under_age'],
      [yearsAgo(0), 'under_age'],
      [yearsAgo(0, 2), 'under_age'],
      [yearsAgo(130, -1), 'malformed'],
      [yearsAgo(131), 'malformed'],
      ['1999-02-29', 'malformed'],
      ['1999-13-01', 'malformed'],
      ['1999-4-3', 'malformed'],
      ['1999/04/03', 'malformed'],
      ['平成11年4月3日', 'malformed'],
      ['１９９９-０４-０３', 'malformed'],
    ],
  },
  {
    rule: 'code of a mail',
    schema: one(mailCode),
    good: [
      ['123456'],
      ['000000'],
      ['１２３４５６', '123456'],
      ['123 456', '123456'],
      ['123-456', '123456'],
      ['　123　456　', '123456'],
      ['123‐456', '123456'],
      ['１２３ー４５６'.replace('ー', '－'), '123456'],
      ['1 2 3 4 5 6', '123456'],
      ['９８７６５４', '987654'],
    ],
    bad: [
      ['', 'required'],
      ['　', 'required'],
      ['12345', 'code'],
      ['1234567', 'code'],
      ['12345a', 'code'],
      ['一二三四五六', 'code'],
      ['コード123456', 'code'],
      ['1'.repeat(41), 'code'],
      ['壱弐参四五六', 'code'],
      ['12.3456', 'code'],
    ],
  },
]
