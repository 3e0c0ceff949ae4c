// Converts 記号 and 番号 of ゆうちょ銀行 to the branch and number of transfers.

/** The bank code of ゆうちょ銀行. */
export const YUCHO = '9900'

export type YuchoAccount =
  | {
      readonly is: 'account'
      readonly branchCode: string
      /** `1`: 普通 (通常貯蓄貯金 is 貯蓄, which 記号 and 番号 do not show), `2`: 当座. */
      readonly type: '1' | '2'
      /** 7 digits. */
      readonly number: string
    }
  | {
      readonly is: 'refused'
      readonly field: 'symbol' | 'number'
      /** `digits`: not the right number of digits; `symbol`: begins with neither 0 nor 1; `last`: does not end in 1. */
      readonly why: 'digits' | 'symbol' | 'last'
    }

/**
 * The account that other banks transfer to. 記号 `1xxxx` (普通) has the branch of its second and third digit and 8, and the
 * number without its last digit, which is always 1; `0xxxx` (振替口座) has that of 9, and the number as it is.
 * Source: ゆうちょ銀行「記号番号から振込用の店名・預金種目・口座番号を調べる」.
 * @param symbol 5 digits
 * @param number 2 to 8 digits, at most 7 for 振替口座
 */
export function yuchoAccount(symbol: string, number: string): YuchoAccount {
  if (!/^\d{5}$/.test(symbol)) return { is: 'refused', field: 'symbol', why: 'digits' }
  const middle = symbol.slice(1, 3)
  switch (symbol[0]) {
    case '1':
      if (!/^\d{2,8}$/.test(number)) return { is: 'refused', field: 'number', why: 'digits' }
      if (!number.endsWith('1')) return { is: 'refused', field: 'number', why: 'last' }
      return {
        is: 'account',
        branchCode: `${middle}8`,
        type: '1',
        number: number.slice(0, -1).padStart(7, '0'),
      }
    case '0':
      if (!/^\d{2,7}$/.test(number)) return { is: 'refused', field: 'number', why: 'digits' }
      return { is: 'account', branchCode: `${middle}9`, type: '2', number: number.padStart(7, '0') }
    default:
      return { is: 'refused', field: 'symbol', why: 'symbol' }
  }
}
