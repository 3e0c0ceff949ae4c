// Texts of the result page of a payment, by what was paid.

export const resultText = {
  title: 'お支払いの結果',
  checking: 'お支払いの結果を確認しています',
  checkingText: 'この画面のまま、少しお待ちください。',
  late: '確認に時間がかかっています',
  cancelled: 'お支払いをやめたときは',
  toOrder: '申込みの確認に戻る',
  refused: 'お支払いを完了できませんでした',
  refusedText:
    'カードが使えなかったか、本人認証を完了できなかったため、請求はされていません。カードの番号と有効期限を確認するか、別のカードでお試しください。',
  again: '別のカードで試す',
  expired: '手続きの時間が過ぎました',
  expiredText: '請求はされていません。もう一度、申込みの確認からお進みください。',
  refunded: '返金しました',
  surplus: '購入は成立していません',
  /** @param why the reason, which ends with 「ため」, or '' */
  surplusText: (amount: string, why: string) =>
    `${amount}が請求されましたが、${why === '' ? '' : `${why}、`}この請求では購入は成立していません。`,
  /** Beside a purchase that another charge paid for. */
  surplusBeside: (amount: string, why: string) =>
    `ほかに${amount}の請求がありました${why === '' ? '' : `（${why}購入は成立していません）`}。`,
  surplusReturning: '全額を返金します。カードへの返金の時期は、カード会社により異なります。',
  surplusReturned: (day: string) =>
    `${day}に全額の返金の手続きをしました。カードへの返金の時期は、カード会社により異なります。`,
  toHistory: '購入履歴を見る',
  unknown: 'お支払いの手続きが見つかりません',
  unknownText: 'リンクが古いか、正しくない可能性があります。',
  signIn: 'ログイン',
  home: 'ホームへ',
  kinds: {
    post: {
      lateText: 'この画面を閉じても大丈夫です。お支払いを確認できしだい、投稿を見られるようになります。',
      paid: '購入が完了しました',
      paidText: '投稿を見られるようになりました。確認のメールもお送りしました。',
      paidElsewhere: '購入が完了しました。とどけのアプリに戻ると、投稿を見られます。',
      toast: '購入が完了しました。',
      refundedText: 'この購入は返金されました。カードへの返金の時期は、カード会社により異なります。',
    },
    plan: {
      lateText:
        'この画面を閉じても大丈夫です。お支払いを確認できしだい、プランの投稿を見られるようになります。',
      paid: 'プランに加入しました',
      paidText: 'プランの投稿を見られるようになりました。確認のメールもお送りしました。',
      paidElsewhere: 'プランに加入しました。とどけのアプリに戻ると、プランの投稿を見られます。',
      toast: 'プランに加入しました。',
      refundedText: 'このお支払いは返金されました。カードへの返金の時期は、カード会社により異なります。',
    },
  },
  /** Of a payment that changes the card of a membership. */
  card: {
    lateText:
      'この画面を閉じても大丈夫です。新しいカードを確認できしだい、お支払い方法を変更します。それまでは、これまでのカードのままです。',
    registered: 'お支払い方法を変更しました',
    registeredText:
      '次のお支払いから、新しいカードに請求します。月額と加入した日、閲覧できる投稿は変わりません。',
    paid: 'お支払いが完了しました',
    paidText:
      '加入を続けます。次のお支払いから、新しいカードに請求します。月額と加入した日、閲覧できる投稿は変わりません。',
    expiredText: '請求はされていません。お支払い方法も変わっていません。',
    again: 'もう一度手続きする',
    toOrder: '内容の確認に戻る',
    surplus: 'この請求は使われませんでした',
    surplusText: (amount: string, why: string) =>
      `${amount}が請求されましたが、${why === '' ? '' : `${why}、`}この請求は使われません。`,
  },
  toPost: '投稿を見る',
  toCreator: 'プランの投稿を見る',
  toJoined: '加入中のプランを見る',
  next: (day: string, price: string) =>
    `次のお支払いは${day}、${price}（税込）です。解約は「加入中のプラン」から、いつでもできます。`,
} as const
