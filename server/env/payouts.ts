// Environment variables of payouts: minimum, fee, and the account that transfers come from.
import * as v from 'valibot'

/** The operator's account, as its bank has registered it; the directory has the names of bank and branch. */
export interface RequesterAccount {
  /** 委託者コード, 10 digits, given by the bank. */
  readonly code: string
  readonly name: string
  /** 4, 3 and 7 digits. */
  readonly bankCode: string
  readonly branchCode: string
  readonly accountNumber: string
  /** 普通, 当座, その他. */
  readonly accountType: '1' | '2' | '9'
}

export interface PayoutSettings {
  /** The smallest amount that is paid out, yen. */
  readonly minimum: number
  /** What the creator pays for a transfer, yen. */
  readonly fee: number
  /** Whether the admin who approved a payout may not export it, as long as there is another one. */
  readonly needsTwoAdmins: boolean
  /** Undefined until all of its variables are set: then no transfer file can be made. */
  readonly requester: RequesterAccount | undefined
}

const yen = (usual: number) =>
  v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.safeInteger(), v.maxValue(1_000_000)),
    String(usual),
  )

export const payoutVariables = {
  PAYOUT_MINIMUM: yen(1000),
  PAYOUT_FEE: yen(250),
  PAYOUT_TWO_ADMINS: v.optional(
    v.pipe(
      v.picklist(['1', '0']),
      v.transform((it) => it === '1'),
    ),
    '1',
  ),
  TRANSFER_CODE: v.optional(v.pipe(v.string(), v.regex(/^\d{10}$/))),
  TRANSFER_NAME: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(40))),
  /** Bank and branch: `0001-001`. */
  TRANSFER_BANK: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-\d{3}$/))),
  TRANSFER_ACCOUNT_TYPE: v.optional(v.picklist(['1', '2', '9']), '1'),
  TRANSFER_ACCOUNT: v.optional(v.pipe(v.string(), v.regex(/^\d{7}$/))),
}

const amount = '0〜1000000 の数字（円）にしてください'

export const payoutWanted: Record<keyof typeof payoutVariables, string> = {
  PAYOUT_MINIMUM: amount,
  PAYOUT_FEE: amount,
  PAYOUT_TWO_ADMINS: '1 か 0 にしてください',
  TRANSFER_CODE: '銀行から通知された委託者コードを、10 桁の数字にしてください',
  TRANSFER_NAME: '銀行に登録した依頼人の名前を、カタカナや英数字で 40 文字以内にしてください',
  TRANSFER_BANK: '振込元の銀行番号 4 桁と支店番号 3 桁（例 0001-001）にしてください',
  TRANSFER_ACCOUNT_TYPE: '1（普通）・2（当座）・9（その他）のどれかにしてください',
  TRANSFER_ACCOUNT: '振込元の口座番号を、7 桁の数字にしてください',
}

const schema = v.object(payoutVariables)
type PayoutEnv = v.InferOutput<typeof schema>

export function payoutSettingsOf(env: PayoutEnv): PayoutSettings {
  return {
    minimum: Math.max(env.PAYOUT_MINIMUM, env.PAYOUT_FEE + 1),
    fee: env.PAYOUT_FEE,
    needsTwoAdmins: env.PAYOUT_TWO_ADMINS,
    requester: requesterOf(env),
  }
}

function requesterOf(env: PayoutEnv): RequesterAccount | undefined {
  const { TRANSFER_CODE: code, TRANSFER_NAME: name, TRANSFER_BANK: bank, TRANSFER_ACCOUNT: account } = env
  if (code === undefined || name === undefined || bank === undefined || account === undefined)
    return undefined
  return {
    code,
    name,
    bankCode: bank.slice(0, 4),
    branchCode: bank.slice(5),
    accountType: env.TRANSFER_ACCOUNT_TYPE,
    accountNumber: account,
  }
}
