// The bank account that a creator's payouts go to.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'
import { accountNameCard } from '#contract/rules.ts'
import { bankCode, branchCode } from './banks.ts'
import { declaredResidence, residenceChoice } from './residence.ts'

/** After a change nothing is paid out for this long, ms, so that its owner can object. */
export const BANK_ACCOUNT_HELD_MS = 3 * 24 * 3600_000

/** 普通, 当座, 貯蓄, by the digits of transfer files. */
export const accountTypes = ['1', '2', '4'] as const
export type AccountType = (typeof accountTypes)[number]

/**
 * How the holder compares with the reading of the legal name that an admin has reviewed. `unknown`: there is none, or it was
 * changed since.
 * With `differs` and `unknown` the operator looks at a payout before it is made.
 */
export const nameChecks = ['same', 'differs', 'unknown'] as const
export type NameCheck = (typeof nameChecks)[number]

/** `name`: '' if the directory does not have the bank or branch any more. */
const place = v.object({ code: v.string(), name: v.string() })

const storedAccount = v.object({
  bank: place,
  branch: place,
  type: v.picklist(accountTypes),
  /** The last 3 of 7 digits; no reply has the others, or the holder. */
  last_digits: v.pipe(v.string(), v.regex(/^\d{3}$/)),
  name_check: v.picklist(nameChecks),
  changed_at: instant,
  /** When payouts begin again after a change; null when they are not held. */
  held_until: v.nullable(instant),
  /** Servers of the version before leave it out. */
  residence: v.optional(declaredResidence, null),
})
export type StoredAccount = v.InferOutput<typeof storedAccount>

const reply = v.object({
  account: v.nullable(storedAccount),
  /** Whether an account can be stored now, as for plans. */
  may_store: v.picklist(['yes', 'identity_required', 'under_age']),
  /** The reading of the legal name in the account's information; '' without one. */
  legal_name_kana: v.string(),
})

export const getBankAccount = endpoint({
  name: 'getBankAccount',
  method: 'GET',
  path: '/payouts/bank-account',
  audience: 'member',
  summary: '売上の振込先の口座（口座番号は下3桁だけ）',
  reply,
  errors: ['unauthenticated'],
})

export const bankAccountBody = v.object({
  bank_code: bankCode,
  branch_code: branchCode,
  type: v.picklist(accountTypes, 'malformed'),
  /** 7 digits; a shorter number has zeros before it. */
  number: v.pipe(v.string('malformed'), v.regex(/^\d{7}$/, 'malformed')),
  holder: accountNameCard,
  residence: residenceChoice,
})
export type BankAccountBody = v.InferOutput<typeof bankAccountBody>

/**
 * Stores or replaces the account. An email tells of it, and a replacement holds payouts for `BANK_ACCOUNT_HELD_MS`; so does a
 * new account after one that was removed. The stored account again changes nothing but a residence that is another one. With `abroad` open
 * payouts that no file has are held, and so is each further one.
 * `validation_required`: the password was not proven within the last minutes. Fields: `branch_code` `unknown_branch`, if
 * the directory does not have the bank or its branch; `holder` `account_name`, if transfer files cannot have it.
 */
export const putBankAccount = endpoint({
  name: 'putBankAccount',
  method: 'PUT',
  path: '/payouts/bank-account',
  audience: 'member',
  summary: '売上の振込先の口座を登録、変更します',
  body: bankAccountBody,
  reply,
  errors: ['unauthenticated', 'validation_required', 'identity_required', 'under_age'],
})

/** Removes the account. Without one it changes nothing. */
export const removeBankAccount = endpoint({
  name: 'removeBankAccount',
  method: 'DELETE',
  path: '/payouts/bank-account',
  audience: 'member',
  summary: '売上の振込先の口座を削除します',
  reply,
  errors: ['unauthenticated', 'validation_required'],
})
