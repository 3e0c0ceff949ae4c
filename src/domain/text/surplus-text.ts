// Why a charge paid for nothing, as a buyer reads it.
import type { SurplusReason } from '#contract/payments/surplus.ts'

const texts = {
  bought: 'すでにお支払い済みのため',
  open: '購入しなくても見られる投稿だったため',
  gone: '購入や加入ができなくなっていたため',
  changed: '申込みの内容と違う請求だったため',
  ended: 'プランの加入が終わっていたため',
} as const satisfies Record<SurplusReason, string>

/** The reason, which ends with 「ため」; '' for a charge that an earlier version recorded. */
export const surplusReasonText = (reason: SurplusReason | null): string =>
  reason === null ? '' : texts[reason]
