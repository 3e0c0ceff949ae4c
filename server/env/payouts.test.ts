// Environment variables of payouts: the account that transfers come from, minimum and fee.
import { expect, test } from 'vitest'
import * as v from 'valibot'
import { payoutSettingsOf, payoutVariables } from './payouts.ts'

const settings = (env: Record<string, string> = {}) =>
  payoutSettingsOf(v.parse(v.object(payoutVariables), env))
const account = {
  TRANSFER_CODE: '0000000001',
  TRANSFER_NAME: 'トドケ',
  TRANSFER_BANK: '0001-015',
  TRANSFER_ACCOUNT: '1234567',
}

test('without variables two admins are needed, and no file can be made', () => {
  expect(settings()).toEqual({ minimum: 1000, fee: 250, needsTwoAdmins: true, requester: undefined })
})

test('the account is read from its variables', () => {
  expect(settings(account).requester).toEqual({
    code: '0000000001',
    name: 'トドケ',
    bankCode: '0001',
    branchCode: '015',
    accountType: '1',
    accountNumber: '1234567',
  })
})

test.each(Object.keys(account))('without %s no file can be made', (name) => {
  const rest = Object.entries(account).filter(([it]) => it !== name)
  expect(settings(Object.fromEntries(rest)).requester).toBeUndefined()
})

test('the minimum is more than the fee, so that something is left to transfer', () => {
  expect(settings({ PAYOUT_MINIMUM: '0', PAYOUT_FEE: '300' })).toMatchObject({ minimum: 301, fee: 300 })
})

test.each([
  ['PAYOUT_MINIMUM', '-1'],
  ['PAYOUT_FEE', '1000001'],
  ['TRANSFER_CODE', '1'],
  ['TRANSFER_BANK', '0001'],
  ['TRANSFER_ACCOUNT', '12345678'],
  ['TRANSFER_ACCOUNT_TYPE', '4'],
  ['PAYOUT_TWO_ADMINS', 'yes'],
])('%s=%s is refused', (name, value) => {
  expect(() => settings({ [name]: value })).toThrow(v.ValiError)
})
