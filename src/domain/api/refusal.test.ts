// Validation issues and refusals of the server become the specification's sentences.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { accountNameCard, max, min, numeric } from '#contract/rules.ts'
import { signInBody, signUpBody } from '#contract/accounts/sign-in.ts'
import { defined } from '#contract/testing/defined.ts'
import { ApiFailure } from './api.ts'
import { issueText, refusalOf, withoutField } from './refusal.ts'

function messagesOf(schema: v.GenericSchema, input: unknown): Record<string, string | undefined> {
  const { issues = [] } = v.safeParse(schema, input)
  const first = new Map<string, string | undefined>()
  for (const issue of issues) {
    const path = defined(v.getDotPath(issue))
    if (!first.has(path)) first.set(path, issueText(issue))
  }
  return Object.fromEntries(first)
}

const complete = {
  email: 'hanako@example.com',
  password: 'todoke-1234',
  name: '花子',
  birth_date: '1990-01-01',
  terms: true,
}

test('an empty sign-in lists the required fields', () => {
  expect(messagesOf(signInBody, { email: '', password: '' })).toEqual({
    email: '入力必須項目です。',
    password: '入力必須項目です。',
  })
})

test('an invalid registration has a sentence for each field', () => {
  const input = { email: 'a', password: 'abcdefgh', name: ' ', birth_date: '2020-01-01', terms: false }
  expect(messagesOf(signUpBody, input)).toEqual({
    email: 'メールアドレスは正しい形式で入力してください',
    password: 'パスワードが条件を満たしていません',
    name: '入力必須項目です。',
    birth_date: '18歳未満の方は登録できません',
    terms: '利用規約への同意が必要です',
  })
})

test('an issue without a field code is reported as malformed', () => {
  expect(issueText({ message: 'Invalid type: Expected string but received 5' })).toBe(
    '正しい形式で入力してください',
  )
  expect(issueText(undefined)).toBeUndefined()
})

test('an issue with a bound names the bound', () => {
  const input = { ...complete, name: 'あ'.repeat(51) }
  expect(messagesOf(signUpBody, input)).toEqual({ name: '50文字以内で入力してください' })
  const amounts = v.object({
    least: v.pipe(numeric, min(1000)),
    most: v.pipe(numeric, max(5)),
  })
  expect(messagesOf(amounts, { least: '10', most: '１０' })).toEqual({
    least: '1,000以上の数字を入力してください',
    most: '5以下の数字を入力してください',
  })
})

test.each([
  ['ＡＢ・Ｃ', '・'],
  ['ヤマダ☆タロウ', '☆'],
  ['ＡＢ-Ｃ', '－'],
  ['𠮷田', '𠮷'],
])('the holder %s is refused with the character %s', (holder, character) => {
  expect(messagesOf(v.object({ holder: accountNameCard }), { holder })).toEqual({
    holder: `「${character}」は使えません。全角のカタカナ・英数字で入力してください`,
  })
})

test('a holder with a sign that is not seen is refused without naming it', () => {
  expect(messagesOf(v.object({ holder: accountNameCard }), { holder: 'ヤマダ\nハナコ' })).toEqual({
    holder: '全角のカタカナ・英数字で入力してください',
  })
})

const names = ['email', 'birth_date']

test('a refusal of fields is shown at the fields', () => {
  const failure = new ApiFailure('invalid', 422, { birth_date: 'under_age' })
  expect(refusalOf(failure, names)).toEqual({ fields: { birth_date: '18歳未満の方は登録できません' } })
})

test('a refusal of a field outside the form is shown for the whole form', () => {
  const failure = new ApiFailure('invalid', 422, { terms: 'consent' })
  expect(refusalOf(failure, names)).toEqual({ fields: {}, whole: '入力内容をご確認ください。' })
})

test('a code that belongs to a field is shown at the field', () => {
  const failure = new ApiFailure('code_wrong', 422)
  expect(refusalOf(failure, ['code'], { code_wrong: 'code' })).toEqual({
    fields: { code: 'コードが違います。メールに書かれたコードをご確認ください。' },
  })
})

test('any other refusal is shown for the whole form', () => {
  expect(refusalOf(new ApiFailure('wrong_credentials', 401), names)).toEqual({
    fields: {},
    whole: 'メールアドレスまたはパスワードが違います。',
  })
  expect(refusalOf(new ApiFailure('offline', 0), names).whole).toMatch(/通信できませんでした/)
})

test('an unexpected error is shown without its message', () => {
  expect(refusalOf(new RangeError('bug'), names)).toEqual({
    fields: {},
    whole: '問題が起きました。画面を読み込み直して、もう一度お試しください。',
  })
})

test('the sentence of a field is removed when the field is changed', () => {
  const refusal = { fields: { email: 'a', birth_date: 'b' }, whole: 'c' }
  expect(withoutField(refusal, 'email')).toEqual({ fields: { birth_date: 'b' }, whole: 'c' })
  expect(withoutField(refusal, 'other')).toBe(refusal)
})
