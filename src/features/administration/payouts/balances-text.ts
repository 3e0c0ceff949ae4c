// Texts of balances that are not paid out by themselves.
import type { BalanceReason, ClearingKind } from '#contract/payouts/balance-names.ts'

export const balancesText = {
  title: '振り込まれない残高',
  lead: '口座がない、停止中、不足、6か月以上前の売上、削除されたアカウントなど、自動では振り込まれない残高です。一覧の閲覧と操作は記録されます。',
  none: '振り込まれない残高はありません',
  more: '続きを表示',
  old: (amount: string) => `うち6か月以上前の売上 ${amount}`,
  reasons: {
    left: '削除されたアカウント',
    suspended: '停止',
    negative: '不足',
    no_account: '口座なし',
    returned: '振込不能',
    cancelled: '最後の振込を取り消し済み',
    old: '6か月以上',
  } satisfies Record<BalanceReason, string>,
  /** What can be done, by the account and the reason. */
  todo: {
    negative:
      '連絡先に連絡してください。返済を受けたときは「返済を記録する」、運営が負担するときは「運営の負担を記録する」で精算します。',
    negativeSelling: '次の売上から差し引かれます。',
    wait: '確定していない売上が確定すると、自動で振込を申請します。',
    contact: '連絡先に連絡して振込先を確認し、銀行の画面で振り込んでから「振込を記録する」で精算します。',
    request: '口座に振り込めるときは、「振込を申請する」で申請します。',
    suspended:
      '停止を解除すると、振込を申請できます。解除しないときは、銀行の画面で振り込んでから記録します。',
    no_account: 'クリエイターが口座を登録すると、振り込めます。6か月を過ぎると、自動で登録を依頼します。',
    returned: 'クリエイターが口座を変更すると、振り込めます。',
    old: '設定や最低額にかかわらず、自動で振込を申請します。残っているときは、作業の一覧で理由を確認してください。',
  },
  contact: {
    show: '連絡先を表示する',
    title: '連絡先',
    email: 'メールアドレス',
    name: '氏名',
    kana: '氏名の読み',
    none: '登録なし',
    gone: '連絡先は保存されていません。',
  },
  request: {
    action: '振込を申請する',
    title: (name: string) => `${name}さんへの最後の振込を申請しますか`,
    text: (amount: string) =>
      `残高${amount}の全額を、登録の口座への振込として申請します。承認は、振込の画面で行います。`,
    done: '振込を申請しました。',
  },
  acts: {
    paid: '振込を記録する',
    repaid: '返済を記録する',
    borne: '運営の負担を記録する',
  } satisfies Record<ClearingKind, string>,
  leads: {
    paid: '銀行の画面で振り込んだ金額を、帳簿に記録します。記録すると取り消せません。',
    repaid: '運営の口座に返済された金額を、帳簿に記録します。記録すると取り消せません。',
    borne: '不足のうち運営が負担する金額を、損失として帳簿に記録します。記録すると取り消せません。',
  } satisfies Record<ClearingKind, string>,
  amount: '金額（円）',
  balance: '現在の残高',
  amountProblem: (most: string) => `1円から${most}までの数字で入力してください`,
  reasonHint: '運営の記録に残ります。本人には届きません。',
  confirm: '確定する',
  done: '精算を記録しました。',
  changed: '残高が変わりました。内容を確認してください。',
  failed: '操作できませんでした。',
} as const
