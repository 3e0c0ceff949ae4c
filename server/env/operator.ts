// Environment variables of the operator, whom the legal pages name.
import * as v from 'valibot'
import type { OperatorView } from '#contract/operator.ts'

/** When the current legal texts were first published. */
const TEXTS_OF = '2026-11-21'

const line = v.pipe(v.string(), v.maxLength(200))

const days = v.pipe(v.string(), v.digits(), v.transform(Number), v.maxValue(36_500))

export const operatorVariables = {
  OPERATOR_NAME: v.optional(line),
  OPERATOR_REPRESENTATIVE: v.optional(line),
  OPERATOR_ADDRESS: v.optional(line),
  OPERATOR_PHONE: v.optional(v.pipe(v.string(), v.regex(/^\+?[\d-]{8,20}$/))),
  OPERATOR_EMAIL: v.optional(v.pipe(v.string(), v.email())),
  OPERATOR_INVOICE_NUMBER: v.optional(v.pipe(v.string(), v.regex(/^T\d{13}$/))),
  OPERATOR_EFFECTIVE_DATE: v.optional(v.pipe(v.string(), v.isoDate()), TEXTS_OF),
  MESSAGE_RETENTION_DAYS: v.optional(days, '0'),
}

export const operatorWanted: Record<keyof typeof operatorVariables, string> = {
  OPERATOR_NAME: '事業者の氏名または名称を 200 文字以内にしてください',
  OPERATOR_REPRESENTATIVE: '代表者または責任者の氏名を 200 文字以内にしてください',
  OPERATOR_ADDRESS: '所在地を 200 文字以内にしてください',
  OPERATOR_PHONE: '電話番号（例 03-0000-0000）にしてください',
  OPERATOR_EMAIL: 'メールアドレスにしてください',
  OPERATOR_INVOICE_NUMBER: 'T と 13 桁の数字（例 T1234567890123）にしてください',
  OPERATOR_EFFECTIVE_DATE: '日付（例 2026-11-21）にしてください',
  MESSAGE_RETENTION_DAYS: '0〜36500 の数字（日数。0 は期間なし）にしてください',
}

const schema = v.object(operatorVariables)
type OperatorEnv = v.InferOutput<typeof schema>

/** Sentences about missing variables: production requires those that the law demands on the page. */
export function missingOfOperator(env: OperatorEnv): string[] {
  const needed = ['OPERATOR_NAME', 'OPERATOR_EMAIL'] as const
  return needed
    .filter((name) => env[name] === undefined)
    .map((name) => `環境変数 ${name} が本番環境では必要です。${operatorWanted[name]}。`)
}

export function operatorOf(env: OperatorEnv): Omit<OperatorView, 'payments'> {
  return {
    name: env.OPERATOR_NAME ?? null,
    representative: env.OPERATOR_REPRESENTATIVE ?? null,
    address: env.OPERATOR_ADDRESS ?? null,
    phone: env.OPERATOR_PHONE ?? null,
    email: env.OPERATOR_EMAIL ?? null,
    invoice_number: env.OPERATOR_INVOICE_NUMBER ?? null,
    effective_on: env.OPERATOR_EFFECTIVE_DATE,
    message_days: env.MESSAGE_RETENTION_DAYS || null,
  }
}
