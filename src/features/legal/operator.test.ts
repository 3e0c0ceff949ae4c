// What the pages of the law say of the operator.
import { expect, test } from 'vitest'
import { operatorWords } from './operator.ts'

const all = {
  name: '株式会社とどけ',
  representative: '届 花子',
  address: '東京都千代田区一番町1-1',
  phone: '03-0000-0000',
  email: 'contact@todoke.example',
  invoice_number: 'T1234567890123',
  effective_on: '2026-11-21',
}

test('what the operator has set is said as it is, the day in Japanese', () => {
  expect(operatorWords(all)).toEqual({
    name: '株式会社とどけ',
    representative: '届 花子',
    address: '東京都千代田区一番町1-1',
    phone: '03-0000-0000',
    email: 'contact@todoke.example',
    invoiceNumber: 'T1234567890123',
    effectiveOn: '2026年11月21日',
  })
})

test('address, telephone and representative are promised on request; name and mail never are', () => {
  const said = operatorWords({
    ...all,
    name: null,
    email: null,
    address: null,
    phone: null,
    representative: null,
  })
  const promised = 'ご請求があった場合は、遅滞なく開示いたします。'
  expect([said.address, said.phone, said.representative]).toEqual([promised, promised, promised])
  expect([said.name, said.email]).toEqual([
    '（開発環境のため設定されていません）',
    '（開発環境のため設定されていません）',
  ])
})

test('without an answer the text says so and names no day', () => {
  const said = operatorWords(null)
  expect(said.name).toContain('オフライン')
  expect(said.effectiveOn).toBeNull()
})
