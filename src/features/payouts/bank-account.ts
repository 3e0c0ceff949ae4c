// The query of the bank account, and the rules of its form.
import * as v from 'valibot'
import { accountTypes, type BankAccountBody, getBankAccount } from '#contract/payouts/bank-account.ts'
import { residenceChoice } from '#contract/payouts/residence.ts'
import { YUCHO, yuchoAccount, type YuchoAccount } from '#contract/payouts/yucho.ts'
import { accountNameCard, required, typed } from '#contract/rules.ts'
import { halfWidth } from '#contract/text/width.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const bankAccountQuery = queryFor(getBankAccount, {})

/** Digits of any width, without hyphens and spaces. */
const digits = (most: number) =>
  v.pipe(
    typed,
    v.transform((it) => halfWidth(it).replaceAll(/[\s‐−ー-]/g, '')),
    v.nonEmpty('required'),
    v.regex(/^\d+$/, 'number'),
    v.maxLength(most, 'too_long'),
  )

const shared = { holder: accountNameCard, residence: residenceChoice, password: required }

/** A branch that was chosen; the number has seven digits when its field is left. */
export const bankForm = v.object({
  ...shared,
  bank_code: required,
  branch_code: required,
  type: v.picklist(accountTypes),
  number: v.pipe(
    digits(7),
    v.transform((it) => it.padStart(7, '0')),
  ),
})

/** 記号 and 番号, which `yuchoAccount` converts. */
export const yuchoForm = v.object({ ...shared, symbol: digits(5), yucho_number: digits(8) })

export type FormOutput = v.InferOutput<typeof bankForm> | v.InferOutput<typeof yuchoForm>

/** The conversion of what was typed; undefined while one of the fields is empty or has no digits. */
export function convertedOf(symbol: string, number: string): YuchoAccount | undefined {
  const [first, second] = [v.safeParse(digits(5), symbol), v.safeParse(digits(8), number)]
  return first.success && second.success ? yuchoAccount(first.output, second.output) : undefined
}

/** The request of a valid form; a ゆうちょ account that cannot be converted gives the conversion's refusal. */
export function bodyOf(form: FormOutput): BankAccountBody | Extract<YuchoAccount, { is: 'refused' }> {
  const { holder, residence } = form
  if ('number' in form) {
    const { bank_code, branch_code, type, number } = form
    return { bank_code, branch_code, type, number, holder, residence }
  }
  const it = yuchoAccount(form.symbol, form.yucho_number)
  if (it.is === 'refused') return it
  const { branchCode: branch_code, type, number } = it
  return { bank_code: YUCHO, branch_code, type, number, holder, residence }
}

/** Whether a typed holder is another name than the reading in the account's information. Spaces do not matter. */
export function differsFrom(holder: string, kana: string): boolean {
  const parsed = v.safeParse(accountNameCard, holder)
  const plain = (it: string) => it.replaceAll('　', '')
  return kana !== '' && parsed.success && plain(parsed.output) !== plain(kana)
}
