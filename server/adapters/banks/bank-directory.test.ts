// Tests the search in the directory of banks and branches.
import { expect, test } from 'vitest'
import packaged from 'zengin-code'
import { createBankDirectory } from './bank-directory.ts'

const directory = createBankDirectory()
const codesOf = async (text: string) => (await directory.searchBanks(text)).map((it) => it.code)
const namesOf = async (text: string) => (await directory.searchBanks(text)).map((it) => it.name)
const branchesOf = async (bank: string, text: string) =>
  (await directory.searchBranches(bank, text))?.map((it) => `${it.code} ${it.name}`)

test.each([
  ['みずほ', '0001'],
  ['ミズホ', '0001'],
  ['ﾐｽﾞﾎ', '0001'],
  ['みずほ銀行', '0001'],
  ['みずほぎんこう', '0001'],
  ['0001', '0001'],
  ['０００１', '0001'],
  ['三菱UFJ', '0005'],
  ['三菱ufj銀行', '0005'],
  ['みつびしゆーえふじぇい', '0005'],
  ['ufj', '0005'],
  ['ゆうちょ', '9900'],
  ['ゆうちょ銀行', '9900'],
  ['ペイペイ', '0033'],
  ['城南信用金庫', '1344'],
  ['城南信用', '1344'],
  ['じょうなんしんよう', '1344'],
  ['空知商工信用組合', '2019'],
])('%s finds the bank %s first', async (text, code) => {
  expect((await codesOf(text))[0]).toBe(code)
})

test('an equal name comes first, then names that begin with the text, then those that contain it', async () => {
  expect(await namesOf('りそな')).toEqual(['りそな', '埼玉りそな'])
  expect((await namesOf('京都')).slice(0, 2)).toEqual(['京都', '京都信金'])
})

test('a code is searched by its beginning', async () => {
  const codes = await codesOf('99')
  expect(codes).toContain('9900')
  expect(codes.every((it) => it.startsWith('99'))).toBe(true)
})

test('without a text, and of many banks, the first twenty are found', async () => {
  const codes = await codesOf('')
  expect(codes).toHaveLength(20)
  expect(codes).toEqual(codes.toSorted())
  expect(await codesOf('農業協同組合')).toHaveLength(20)
})

test.each(['存在しない銀行', '<script>', '.*', 'みずほ\tミズホ'])('%j finds no bank', async (text) => {
  expect(await codesOf(text)).toEqual([])
})

test.each([
  ['9900', '018', ['018 〇一八']],
  ['9900', 'ぜろいちはち', ['018 〇一八']],
  ['9900', '〇一八店', []],
  ['0001', '東京営業部', ['001 東京営業部']],
  ['0001', '築地支店', ['015 築地']],
  ['0001', 'ツキヂしてん', ['015 築地']],
])('in bank %s, %s finds %j', async (bank, text, branches) => {
  expect(await branchesOf(bank, text)).toEqual(branches)
})

test('branches of an unknown bank are not found', async () => {
  expect(await directory.searchBranches('0002', '')).toBeUndefined()
})

test('a bank and its branch are found by both codes', async () => {
  expect(await directory.find('9900', '018')).toEqual({
    bank: { code: '9900', name: 'ゆうちょ', kana: 'ユウチヨ' },
    branch: { code: '018', name: '〇一八', kana: 'ゼロイチハチ' },
  })
  expect(await directory.find('0001', '018')).toBeUndefined()
  expect(await directory.find('0002', '001')).toBeUndefined()
})

test('every bank and branch has a code of its form, and names that a transfer file takes', async () => {
  for (const [code, bank] of Object.entries(packaged)) {
    expect(code).toMatch(/^\d{4}$/)
    for (const entry of [bank, ...Object.values(bank.branches)]) {
      expect(entry.code).toMatch(entry === bank ? /^\d{4}$/ : /^\d{3}$/)
      expect(entry.kana).toMatch(/^[ァ-ヴー－Ａ-Ｚ．　]+$/)
      expect(entry.name).not.toMatch(/[\t\n]/)
    }
  }
})
