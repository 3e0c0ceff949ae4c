// The operator's facts on the legal pages.
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
  message_days: 730,
  payments: null,
}

test('configured facts are shown as they are, with the date in Japanese', () => {
  expect(operatorWords(all)).toEqual({
    name: '株式会社とどけ',
    representative: '届 花子',
    address: '東京都千代田区一番町1-1',
    phone: '03-0000-0000',
    email: 'contact@todoke.example',
    invoiceNumber: 'T1234567890123',
    effectiveOn: '2026年11月21日',
    messageDays: 730,
  })
})

test('missing address, telephone and representative are promised on request, name and email are not', () => {
  const shown = operatorWords({
    ...all,
    name: null,
    email: null,
    address: null,
    phone: null,
    representative: null,
  })
  const promised = 'ご請求があった場合は、遅滞なく開示いたします。'
  expect([shown.address, shown.phone, shown.representative]).toEqual([promised, promised, promised])
  expect([shown.name, shown.email]).toEqual([
    '（開発環境のため設定されていません）',
    '（開発環境のため設定されていません）',
  ])
})

test('without a reply the text names the device as offline, without a date', () => {
  const words = operatorWords(null)
  expect(words.name).toContain('オフライン')
  expect(words.effectiveOn).toBeNull()
})
