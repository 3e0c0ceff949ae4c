// Values of the rules about addresses and passwords.
import * as v from 'valibot'
import { email, password, repeatPassword, repeatPasswordResetToken, required } from '#contract/rules.ts'
import { one, type RuleCases } from './rule-case.ts'

export const accountCases: readonly RuleCases[] = [
  {
    rule: 'email',
    schema: one(email),
    good: [
      ['hanako@example.com'],
      ['Hanako.Yamada@Example.CO.JP', 'hanako.yamada@example.co.jp'],
      ['hanako+news@example.com'],
      ['..da.me..@docomo.example.jp'],
      ['h@ab.cd'],
      ["o'neil_1@sub.domain.example.org"],
      [' hanako@example.com　', 'hanako@example.com'],
      ['ｈａｎａｋｏ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'hanako@example.com'],
      ['hanako＠example。com', 'hanako@example.com'],
      ['hanako@xn--r8jz45g.xn--zckzah'],
      ['123@456.example'],
    ],
    bad: [
      ['', 'required'],
      ['　', 'required'],
      ['hanako', 'email'],
      ['hanako@', 'email'],
      ['@example.com', 'email'],
      ['hanako@example', 'email'],
      ['hanako@example.', 'email'],
      ['hana ko@example.com', 'email'],
      ['hana　ko@example.com', 'email'],
      ['花子@example.com', 'email'],
      ['hanako@例え.jp', 'email'],
      ['hanako@@example.com', 'email'],
      ['hanako@-example.com', 'email'],
      ['hanako@example.c', 'email'],
      ['hanako@127.0.0.1', 'email'],
      ['Hanako <hanako@example.com>', 'email'],
      ['hanako@example.com,taro@example.com', 'email'],
      [`${'a'.repeat(250)}@example.com`, 'too_long', 254],
    ],
  },
  {
    rule: 'password',
    schema: one(password),
    good: [
      ['abcdefg1'],
      ['Abcdefg!'],
      ['todoke-1234'],
      ['a#######'],
      ['a1@$!%*#?&^_-'],
      [`a1${'b'.repeat(30)}`],
      ['_______z'],
      ['0000000A'],
      ['asayake?no*sora#7'],
      ['QWERTYU^'],
    ],
    bad: [
      ['', 'required'],
      ['abcdef1', 'password'],
      ['abcdefgh', 'password'],
      ['12345678', 'password'],
      ['!!!!!!!!', 'password'],
      [`a1${'b'.repeat(31)}`, 'password'],
      ['abcd 123', 'password'],
      [' abcdefg1', 'password'],
      ['abcdefg1 ', 'password'],
      ['ａｂｃｄｅｆｇ１', 'password'],
      ['パスワード12ab', 'password'],
      ['abcdefg1¥', 'password'],
      ['abcdefg1+', 'password'],
      ['abcdéfg1', 'password'],
    ],
  },
  ...repeatCases([
    ['Todoke-1', ['todoke-1', 'TODOKE-1', 'Todoke-1 ', ' Todoke-1', 'Todoke-', 'Todoke-11']],
    ['todoke-1234', ['Ｔｏｄｏｋｅ－１２３４', 'todoke－1234', 'todoke‐1234']],
    ['a#######', ['a＃＃＃＃＃＃＃']],
    ['_______z', ['_______Z']],
    ['a1@$!%*#?&^_-', ['a1@$!%*#?&^_']],
    [`a1${'b'.repeat(30)}`, [`a1${'b'.repeat(29)}`]],
    ['0000000A', ['OOOOOOOA']],
    ['Asayake-9', ['朝焼け']],
    ['Yuugure&8', ['Yuugure&amp;8']],
    ['kirin#12', ['kirin#21']],
  ]),
  ...tokenCases([
    ['rT0_ken-Example', ['rt0_ken-example', ' rT0_ken-Example', 'T0_ken-Example', 'rT0_ken-Examplea']],
    ['5f0c1d2e-8a4b', ['5f0c1d2e8a4b', '５f0c1d2e-8a4b']],
    ['A', ['a']],
    ['undefined', ['null']],
    ['0', ['00']],
    ['x'.repeat(100), ['x'.repeat(99)]],
    ['aGVsbG8', ['aGVsbG8=']],
    ['_-_-_-', ['＿－＿－＿－']],
    ['123456', ['１２３４５６']],
    ['l1I', ['トークン']],
  ]),
]

type Repeated = readonly (readonly [first: string, others: readonly string[]])[]

/** Each password repeated, and what is not quite it. */
function repeatCases(all: Repeated): RuleCases[] {
  const schema = v.pipe(
    v.object({ password: required, value: required }),
    repeatPassword('password', 'value'),
  )
  return all.map(([first, others]) => ({
    rule: 'repeat-password',
    of: first,
    schema,
    beside: { password: first },
    good: [[first]],
    bad: [['', 'required'], ...others.map((it) => [it, 'repeat'] as const)],
  }))
}

function tokenCases(all: Repeated): RuleCases[] {
  return all.map(([token, others]) => ({
    rule: 'repeat-password-reset-token',
    of: token,
    schema: one(repeatPasswordResetToken(token)),
    good: [[token]],
    bad: [['', 'required'], ...others.map((it) => [it, 'reset_token'] as const)],
  }))
}
