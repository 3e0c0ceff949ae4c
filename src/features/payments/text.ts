// Texts of final confirmations, and those of buying a post.
import type { FailureCode } from '#src/domain/api/api.ts'

/** What every final confirmation says (特定商取引法第12条の6). */
export const orderText = {
  title: '申込みの確認',
  lead: '内容を確認して、申込みを確定してください。',
  taxIncluded: '（税込）',
  noFees: '手数料や送料はかかりません。',
  statementRow: 'カードの明細',
  statement: (name: string) => `「${name}」と表示されます。`,
  law: '特定商取引法に基づく表記',
  terms: '利用規約',
  confirm: '申込みを確定する',
  opening: '決済画面を開いています',
  sandbox: '練習用の決済です。お金は動きません。',
  priceChanged: '価格が変更されました。新しい価格を確認して、もう一度確定してください。',
  notOpened: '決済画面を開けませんでした。しばらくしてからお試しください。',
  paused:
    '現在、新しい購入と加入の受付を止めています。購入した投稿と加入中のプランは、これまでどおりご利用いただけます。',
  timedOut: '手続きの時間が過ぎました。もう一度確定してください。',
} as const

/** Why a payment of any kind could not begin. */
const refusal: Partial<Record<FailureCode, string>> = {
  under_age: '18歳未満の方は、お支払いのある機能をご利用いただけません。',
}

export const postOrderText = {
  rows: {
    item: '商品',
    seller: '販売するクリエイター',
    price: 'お支払いの総額',
    payment: 'お支払いの方法と時期',
    delivery: '閲覧できる時期',
    period: '閲覧できる期間',
    cancelling: 'キャンセルと返金',
  },
  item: '有料の投稿',
  payment:
    'クレジットカード（1回払い）。申込みの確定後に開く決済画面でカード番号を入力すると、その時に請求されます。カード番号は、とどけには送られません。',
  delivery: 'お支払いの確認後、すぐに閲覧できます。',
  period:
    '期限はありません。投稿を掲載している間、何度でも閲覧できます。クリエイターがアカウントを削除したときは、その日から1年間閲覧できます。購入から1年以内に運営が投稿を削除したときは、全額を返金します。',
  cancelling:
    'デジタルの商品のため、お支払いのあとの、お客さまの都合によるキャンセルと返金はお受けできません。通信販売のため、クーリング・オフの制度は適用されません。閲覧できないなどの問題があるときは、ご連絡ください。',
  offline: '購入には通信が必要です。購入は、あとで送るために端末に保存されることはありません。',
  closed: {
    bought: { title: 'この投稿は閲覧できます', text: 'すでに購入したか、どなたでも見られる投稿です。' },
    notForSale: { title: 'この投稿は購入できません', text: '公開範囲が変更された可能性があります。' },
    toPost: '投稿を見る',
  },
} as const

/** Why a purchase could not begin, where the general sentence would not help. */
export const postRefusal: Partial<Record<FailureCode, string>> = {
  ...refusal,
  not_found: 'この投稿は購入できません。削除されたか、公開範囲が変更された可能性があります。',
  forbidden: 'この投稿は、現在購入できません。',
  offline: '通信できませんでした。購入には通信が必要です。通信状況を確認して、もう一度お試しください。',
}

/** Why joining could not begin, or a change of plan failed, where the general sentence would not help. */
export const planRefusal: Partial<Record<FailureCode, string>> = {
  ...refusal,
  not_found:
    'このプランには加入できません。終了したか、クリエイターの投稿を閲覧できなくなった可能性があります。',
  forbidden: 'このプランは、現在新しい加入を受け付けていません。',
  conflict: '加入の状態が変わりました。画面を読み込み直して、もう一度お試しください。',
  offline: '通信できませんでした。加入には通信が必要です。通信状況を確認して、もう一度お試しください。',
}
