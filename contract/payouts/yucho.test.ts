// Tests the conversion of ゆうちょ accounts.
import { expect, test } from 'vitest'
import { yuchoAccount } from './yucho.ts'

test.each([
  // 記号, 番号, branch, type, number
  ['10530', '12345671', '058', '1', '1234567'],
  ['17300', '19927651', '738', '1', '1992765'],
  ['12340', '123451', '238', '1', '0012345'],
  ['14180', '11', '418', '1', '0000001'],
  ['10180', '00000001', '018', '1', '0000000'],
  ['00530', '123456', '059', '2', '0123456'],
  ['01000', '12', '109', '2', '0000012'],
  ['00990', '1234567', '099', '2', '1234567'],
] as const)('%s %s is branch %s, type %s, number %s', (symbol, number, branchCode, type, account) => {
  expect(yuchoAccount(symbol, number)).toEqual({ is: 'account', branchCode, type, number: account })
})

test.each([
  ['1053', '12345671', 'symbol', 'digits'],
  ['105300', '12345671', 'symbol', 'digits'],
  ['1053０', '12345671', 'symbol', 'digits'],
  ['', '12345671', 'symbol', 'digits'],
  ['20530', '12345671', 'symbol', 'symbol'],
  ['10530', '1', 'number', 'digits'],
  ['10530', '123456781', 'number', 'digits'],
  ['10530', '1234-671', 'number', 'digits'],
  ['10530', '1234567', 'number', 'last'],
  ['00530', '12345678', 'number', 'digits'],
  ['00530', '1', 'number', 'digits'],
] as const)('%s %s is refused: %s, %s', (symbol, number, field, why) => {
  expect(yuchoAccount(symbol, number)).toEqual({ is: 'refused', field, why })
})
