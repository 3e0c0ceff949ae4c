// Texts of buying a post: the final confirmation, and the result.
import type { FailureCode } from '#src/domain/api/api.ts'

export const paymentText = {
  /** The final confirmation (特定商取引法第12条の6). */
  order: {
    title: '購入の確認',
    lead: '内容を確認して、申込みを確定してください。',
    rows: {
      item: '商品',
      seller: '販売するクリエイター',
      price: 'お支払いの総額',
      payment: 'お支払いの方法と時期',
      delivery: '閲覧できる時期',
      period: '閲覧できる期間',
      cancelling: 'キャンセルと返金',
      statement: 'カードの明細',
    },
    item: '有料の投稿',
    images: (count: number) => `画像${count}枚`,
    video: '動画',
    taxIncluded: '（税込）',
    noFees: '手数料や送料はかかりません。',
    payment:
      'クレジットカード（1回払い）。申込みの確定後に開く決済画面でカード番号を入力すると、その時に請求されます。カード番号は、とどけには送られません。',
    delivery: 'お支払いの確認後、すぐに閲覧できます。',
    period: '期限はありません。投稿を掲載している間、何度でも閲覧できます。',
    cancelling:
      'デジタルの商品のため、お支払いのあとの、お客さまの都合によるキャンセルと返金はお受けできません。閲覧できないなどの問題があるときは、ご連絡ください。',
    statement: (name: string) => `「${name}」と表示されます。`,
    law: '特定商取引法に基づく表記',
    terms: '利用規約',
    confirm: '申込みを確定する',
    opening: '決済画面を開いています',
    sandbox: '練習用の決済です。お金は動きません。',
    offline: '購入には通信が必要です。購入は、あとで送るために端末に保存されることはありません。',
    priceChanged: '価格が変更されました。新しい価格を確認して、もう一度確定してください。',
    timedOut: '手続きの時間が過ぎました。もう一度確定してください。',
  },
  closed: {
    bought: { title: 'この投稿は閲覧できます', text: 'すでに購入したか、どなたでも見られる投稿です。' },
    notForSale: { title: 'この投稿は購入できません', text: '公開範囲が変更された可能性があります。' },
    toPost: '投稿を見る',
  },
  result: {
    title: '購入の結果',
    checking: 'お支払いの結果を確認しています',
    checkingText: 'この画面のまま、少しお待ちください。',
    late: '確認に時間がかかっています',
    lateText: 'この画面を閉じても大丈夫です。お支払いを確認できしだい、投稿を見られるようになります。',
    cancelled: 'お支払いをやめたときは',
    toOrder: '購入の確認に戻る',
    paid: '購入が完了しました',
    paidText: '投稿を見られるようになりました。確認のメールもお送りしました。',
    paidElsewhere: '購入が完了しました。とどけのアプリに戻ると、投稿を見られます。',
    toast: '購入が完了しました。',
    refused: 'お支払いを完了できませんでした',
    refusedText:
      'カードが使えなかったか、本人認証を完了できなかったため、請求はされていません。カードの番号と有効期限を確認するか、別のカードでお試しください。',
    again: '別のカードで試す',
    expired: '手続きの時間が過ぎました',
    expiredText: '請求はされていません。もう一度、購入の確認からお進みください。',
    refunded: '返金しました',
    refundedText: 'この購入は返金されました。カードへの返金の時期は、カード会社により異なります。',
    surplus: '重複したお支払いがありました。重複した分は返金します。',
    unknown: '購入の手続きが見つかりません',
    unknownText: 'リンクが古いか、正しくない可能性があります。',
    toPost: '投稿を見る',
    signIn: 'ログイン',
    home: 'ホームへ',
  },
} as const

/** Why a purchase could not begin, where the general sentence would not help. */
export const orderRefusal: Partial<Record<FailureCode, string>> = {
  not_found: 'この投稿は購入できません。削除されたか、公開範囲が変更された可能性があります。',
  forbidden: 'この投稿は、現在購入できません。',
  unavailable: '現在、購入を受け付けていません。しばらくしてからお試しください。',
  offline: '通信できませんでした。購入には通信が必要です。通信状況を確認して、もう一度お試しください。',
}
