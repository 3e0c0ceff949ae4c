// Texts of joined plans: their state, and stopping, resuming and changing them.
import type { endReasons } from '#contract/memberships/memberships.ts'

export const membershipText = {
  none: '加入しているプランはありません',
  noneText: '加入したプランが、ここに並びます。',
  find: 'クリエイターを探す',
  since: (day: string) => `${day}に加入`,
  until: (day: string) => `${day}まで閲覧できます`,
  more: '続きを読み込む',
  list: '加入中のプラン',
  states: {
    active: '加入中',
    past_due: 'お支払いを確認できません',
    cancelling: '解約済み',
    /** It ends for another reason than its member's. */
    stopping: '終了予定',
    ended: '終了',
  },
  next: (day: string) => `次のお支払いは${day}です。`,
  pastDue:
    'カードでのお支払いを確認できませんでした。カードの有効期限と利用限度額をご確認ください。決済代行会社が、数日のうちにもう一度お支払いを試みます。それまでは引き続き閲覧できます。',
  payNow:
    '「お支払い方法を変更する」から、今すぐお支払いになるか、別のカードに変更できます。月額と閲覧できる投稿は変わりません。',
  card: {
    open: 'お支払い方法を変更する',
    openOf: (plan: string) => `お支払い方法を変更する（${plan}）`,
    expires: (month: string) =>
      `カードの有効期限は${month}です。新しいカードが届いたら、お支払い方法を変更してください。`,
  },
  processing: '決済代行会社への手続き中です。完了まで数日かかることがあります。',
  change: {
    plan: (day: string, plan: string, price: string) =>
      `${day}のお支払いから、プラン「${plan}」（月額${price}）に切り替わります。`,
    price: (day: string, price: string) => `${day}のお支払いから、月額が${price}に変わります。`,
    open: 'プランを変更',
    openOf: (plan: string) => `プランを変更（${plan}）`,
    revoke: '変更を取り消す',
    revoked: '変更を取り消しました。',
  },
  cancel: {
    open: '解約',
    openOf: (plan: string) => `解約（${plan}）`,
    title: (plan: string) => `プラン「${plan}」を解約しますか`,
    text: (until: string) =>
      `解約しても、${until}まで閲覧できます。次回からの請求はありません。月の途中で解約しても、日割りの返金はありません。`,
    /** What was paid has passed already. */
    now: '解約すると、すぐに閲覧できなくなります。次回からの請求はありません。お支払い済みの金額の返金はありません。',
    action: '解約する',
    done: (until: string) => `解約しました。${until}まで閲覧できます。`,
    doneNow: '解約しました。',
  },
  resume: {
    open: '解約を取り消す',
    openOf: (plan: string) => `解約を取り消す（${plan}）`,
    title: '解約を取り消しますか',
    text: (next: string, price: string) =>
      `毎月のお支払いを再開する申込みです。次のお支払いは${next}、月額${price}（税込）です。以後は、解約するまで毎月自動で請求します。`,
    action: '取り消して続ける',
    done: '自動更新を再開しました。',
  },
  /** As `resume`, where its member did not cancel it. */
  goOn: {
    open: '加入を続ける',
    openOf: (plan: string) => `加入を続ける（${plan}）`,
    title: '加入を続けますか',
    action: '加入を続ける',
    hint: '続けるときは「加入を続ける」を押してください。',
  },
  offer: {
    text: (price: string) => `現在の月額は${price}です。同意すると次のお支払いから変わります。`,
    open: '同意する',
    openOf: (plan: string) => `同意する（${plan}の月額）`,
    title: '新しい月額に同意しますか',
    question: (next: string, before: string, after: string) =>
      `${next}のお支払いから、月額が${before}から${after}（税込）に変わります。以後は、解約するまで毎月この金額を自動で請求します。`,
    action: '同意する',
    done: '新しい月額に同意しました。',
  },
  failed: '手続きできませんでした。',
  priceChanged: '月額が変更されています。新しい月額を確認して、もう一度お試しください。',
  offline: '解約やプランの変更には通信が必要です。',
  ended: {
    title: '終了したプラン',
    on: (day: string) => `${day}に終了`,
    until: (at: string) => `${at}までは、今までと同じ月額と閲覧できる範囲で、加入を続けられます。`,
    return: '加入を続ける',
    returnOf: (plan: string) => `加入を続ける（${plan}）`,
    again: 'もう一度加入',
    againOf: (plan: string) => `もう一度加入（${plan}）`,
    erased: '削除されたプラン',
  },
  why: {
    cancelled: '解約により終了しました。',
    member_left: 'アカウントの削除の手続きか利用の停止により、終了しました。',
    creator_left: 'クリエイターのアカウントが削除されたか、利用を停止されたため、終了しました。',
    plan_closed: 'クリエイターがプランを終了しました。',
    payment_failed: 'お支払いを完了できなかったため、終了しました。',
    not_paid: 'お支払いを確認できなかったため、終了しました。',
    refunded: '返金により終了しました。',
    blocked: 'クリエイターの投稿を閲覧できなくなったため、終了しました。',
  } satisfies Record<(typeof endReasons)[number], string>,
  /** Why a membership will end, where its member did not cancel it. */
  stopping: {
    cancelled: '',
    member_left: 'アカウントの削除の手続きか利用の停止により、自動更新を止めました。',
    creator_left:
      'クリエイターがアカウントの削除の手続きをしたか、利用を停止されたため、自動更新を止めました。',
    plan_closed: 'クリエイターがプランを終了するため、次回からの請求はありません。',
    payment_failed: 'お支払いを完了できなかったため、自動更新を止めました。',
    not_paid: 'お支払いを確認できなかったため、自動更新を止めました。',
    refunded: '返金したため、自動更新を止めました。',
    blocked: 'クリエイターの投稿を閲覧できなくなったため、自動更新を止めました。',
  } satisfies Record<(typeof endReasons)[number], string>,
} as const
