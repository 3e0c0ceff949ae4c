// Texts of the operator's copies of receipts and statements.
import type { IssuedKind } from '#contract/payments/issued-names.ts'

export const documentsText = {
  title: '領収書・支払明細書の控え',
  lead: '発行した領収書と支払明細書を、発行日、金額、相手の名前で検索します。閲覧は記録されます。',
  search: '控えの検索',
  kind: '種類',
  kinds: { receipt: '領収書', statement: '支払明細書' } satisfies Record<IssuedKind, string>,
  from: '発行日（から）',
  to: '発行日（まで）',
  least: '金額（円以上）',
  most: '金額（円以下）',
  partner: '相手の名前',
  partnerHint: '宛名、販売者、購入した人、クリエイターの名前の一部で検索できます。',
  act: '検索する',
  none: '条件に合う控えはありません',
  noneText: '発行日や金額の範囲、名前を変更してください。',
  more: '続きを表示',
  amountProblem: '数字で入力してください',
  issue: (issue: number) => `第${issue}回の発行`,
  issuedAt: (day: string) => `${day}に発行`,
  refunded: (amount: string) => `返金済み ${amount}`,
  fee: (amount: string) => `手数料（税込） ${amount}`,
  facts: {
    addressee: '宛名',
    seller: '販売者',
    buyer: '購入した人',
    creator: 'クリエイター',
    registration: '登録番号',
  },
  unstored: '記録なし',
} as const
