// Texts of the account's deletion, its undoing, and the data export.
import type { LeavingReason } from '#contract/accounts/leaving.ts'

const reasons: Record<LeavingReason, string> = {
  unused: '使わなくなった',
  hard_to_use: '使い方がわかりにくい',
  not_delivered: '投稿がうまく届かない',
  people: 'ほかのユーザーとのトラブル',
  privacy: '個人情報が気になる',
  money: '料金や収益に納得できない',
  another_account: '別のアカウントを使う',
  other: 'その他',
  unsaid: '答えない',
}

export const leavingText = {
  title: 'アカウントの削除',
  toPage: 'アカウントを削除する',
  toPageHint: '7日間は取り消せます',
  lead: '申し込みから7日後に、アカウントとすべてのデータを削除します。7日間は、いつでも取り消せます。',
  nowTitle: '申し込むと、すぐに',
  now: [
    '投稿とプロフィールは、ほかの人から見えなくなります。購入した人とプランのメンバーは、その投稿を引き続き閲覧できます（プランのメンバーは、削除の日まで）。',
    'ほかの端末は、すべてログアウトします。',
    '取り消しのためのリンクを、メールでお送りします。',
  ],
  laterTitle: '7日後に削除するもの',
  later: [
    '投稿、画像、動画、プロフィール（購入された投稿を除く）',
    'フォロー、いいね、コメント',
    'プランと、加入の記録',
    '設定、ブロックした人、パスキー、ログインの記録',
    '本人確認の書類と動画',
  ],
  retainedTitle: '残るもの',
  retained: [
    '購入された投稿。購入した人だけが、削除の日から1年間閲覧できます。その後に削除します。',
    '購入の記録。投稿・金額・日時を、お名前を含まない形で保存します。帳簿として保存が必要なためです。',
    '運営の操作の記録。不正な操作を後から確認できるよう、ID番号だけを保存します。',
    '残高があるときは、メールアドレス、氏名、振込先の口座。暗号化して保存し、残高の精算が終わると削除します。',
  ],
  money: {
    title: 'お金について',
    purchases: '購入した投稿は、申し込むと閲覧できなくなります。返金はありません。',
    bought: (posts: number, amount: string) =>
      `購入した投稿${posts}件（合計${amount}）は、申し込むと閲覧できなくなります。返金はありません。`,
    plans: '加入中のプラン',
    plan: (creator: string, plan: string) =>
      plan === '' ? `${creator}さんのプラン` : `${plan}（${creator}さん）`,
    price: (price: string) => `月額${price}`,
    renews: (day: string) => `申し込むと、自動更新を止めます。お支払い済みの期間は${day}までです。`,
    paid: (day: string) => `自動更新は止まっています。お支払い済みの期間は${day}までです。`,
    noRefund:
      'お支払い済みの期間も、申し込むと閲覧できなくなります。返金はありません。取り消しても、自動更新は止まったままです。',
    members: (count: number) =>
      `あなたのプランには、毎月のお支払いをしているメンバーが${count}人います。申し込むと、次回からの請求を止めます。削除の日に期間が残っている月額は、メンバーに返金します。取り消しても、メンバーが自分で加入を続けるまで、請求は再開しません。`,
    unread: 'お金についての内容を読み込めませんでした。',
    documents:
      '領収書は、申し込みから7日間は発行できます。削除のあとは、表示も発行もできません。必要なものは、保存してください。',
    statements: '支払明細書は、申し込むと表示できなくなります。必要なものは、先に保存してください。',
    toReceipts: '購入履歴',
    toStatements: '支払明細書',
  },
  earnings: {
    title: '売上と振込',
    balance: '残高',
    available: 'うち振込可能額',
    openMonth: 'うち確定していない売上',
    plans: '終了するプラン',
    plan: (name: string, members: number) => `${name}（メンバー${members}人）`,
    refunds: (count: number, amount: string, cost: string) =>
      `削除の日に期間が残る月額は、現在の見込みで${count}件、合計${amount}です。返金のうち${cost}を、あなたの残高から差し引きます。残りは運営が負担します。`,
    kept: (posts: number, buyers: number) =>
      `購入された投稿${posts}件は、購入した${buyers}人だけが、削除の日から1年間閲覧できます。名前、コメント、いいねは削除します。`,
    paid: '削除の日に残っている残高の全額を、登録している口座に手数料なしで振り込みます。確定していない売上があるときは、翌月に確定してから振り込みます。',
    noAccount:
      '振込先の口座が登録されていません。申し込む前に口座を登録すると、削除の日に残っている残高の全額を、手数料なしで振り込みます。登録がないときは、削除のあとに、運営がメールで振込先を確認します。',
    toAccount: '振込先の口座を登録する',
    negative:
      '返金が売上を上回るため、残高が不足する見込みです。不足分は、アカウントを削除してもなくなりません。削除のあとに、運営がメールでご連絡します。',
  },
  exportFirst: '削除の前に',
  unsent: {
    title: 'この端末に残っているもの',
    text: 'まだサーバーに届いていません。削除が終わると、送信できなくなります。',
    jobs: (count: number) => `送信待ちのもの　${count}件`,
    drafts: (count: number) => `下書き　${count}件`,
    untitled: '（本文なし）',
    identity: '本人確認の書類',
    message: (name: string) => `${name}さんへのメッセージ`,
    more: (count: number) => `ほか${count}件`,
  },
  reasonTitle: '理由をお聞かせください',
  reasons,
  note: '詳しい理由',
  noteOptional: '任意',
  noteHint: 'いただいた理由は、削除とともに消えます。',
  noteTooLong: (max: number) => `${max}文字以内で入力してください`,
  goOn: '削除の確認へ進む',
  goOnHint: '続けるには、パスワードなどの確認が必要な場合があります。',
  confirm: {
    title: 'アカウントを削除しますか',
    text: (name: string, at: string) =>
      `${name}さんのアカウントとすべてのデータを、${at}ごろに削除します。それまでは、ログインするか、メールのリンクから取り消せます。`,
    plans: (count: number) =>
      `加入中のプラン${count}件の自動更新を止めます。取り消しても、止まったままです。`,
    members: (count: number) => `メンバー${count}人への請求を止めます。取り消しても、止まったままです。`,
    noAccount: (balance: string) =>
      `残高は${balance}です。振込先の口座が登録されていないため、自動では振り込まれません。`,
    action: '削除を申し込む',
    stop: 'やめる',
  },

  waiting: {
    title: '削除の手続き中です',
    text: (name: string) => `${name}さんのアカウントは、次の日時を過ぎると削除されます。`,
    left: (days: number) => (days > 0 ? `あと${days}日` : 'まもなく'),
    hidden: '現在は、ほかの人から見えません。取り消すと、投稿もプロフィールも元どおり表示されます。',
    paid: (balance: string) =>
      `残高は${balance}です。削除の日に残っている全額を、登録している口座に手数料なしで振り込みます。`,
    noAccount: (balance: string) =>
      `残高は${balance}です。振込先の口座が登録されていないため、自動では振り込まれません。取り消すと、口座を登録できます。`,
    records: '購入履歴と領収書',
    toWaiting: '削除の手続きへ',
    undo: '削除を取り消す',
    stopped: (plans: string) =>
      `${plans}の自動更新を止めました。取り消しても、止まったままです。続けるときは、取り消したあとに「加入中のプラン」で「加入を続ける」を押してください。`,
    members: (count: number) =>
      `メンバー${count}人への請求を止めました。取り消しても、メンバーが自分で加入を続けるまで、再開しません。`,
    undone: '削除を取り消しました。',
    undoneStopped: '削除を取り消しました。プランの自動更新は、止まったままです。',
    signOut: 'ログアウト',
  },

  link: {
    title: '削除の取り消し',
    text: 'アカウントの削除を取り消します。投稿もプロフィールも、元どおり表示されます。',
    done: '削除を取り消しました。投稿もプロフィールも、元どおり表示されています。',
    stopped: (plans: string) =>
      `${plans}の自動更新は、止まったままです。続けるときは「加入中のプラン」で「加入を続ける」を押してください。`,
    toPlans: '加入中のプラン',
    unusable: 'このリンクは使えません。すでに取り消したか、削除が始まっています。',
    without: 'メールのリンクから開いてください。ログインして取り消すこともできます。',
    home: 'ホームへ',
    signIn: 'ログインする',
  },
} as const

export const exportText = {
  title: 'データのダウンロード',
  text: '投稿、画像、動画、設定などを、1つのzipファイルとしてダウンロードできます。画像と動画は、送信したときのままです。',
  create: 'ダウンロード用ファイルを作成する',
  again: 'ダウンロード用ファイルを作り直す',
  waitingTitle: '作成しています',
  waiting: 'できあがると、メールでお知らせします。この画面を閉じても続きます。',
  readyTitle: 'ダウンロードできます',
  ready: (size: string, until: string) => `${size}・${until}まで`,
  download: 'ダウンロード',
  downloadHint: '続けるには、パスワードなどの確認が必要な場合があります。',
  failed: '作成できませんでした。もう一度お試しください。',
  expired: '期限が過ぎたため、作成したファイルは削除しました。',
  nextAt: (at: string) => `次は${at}から作成できます。`,
  linkUnusable: 'このリンクは使えません。期限が過ぎたか、別のアカウントのものです。',
  care: '個人情報が入っています。共有の端末には保存しないでください。',
  none: 'ダウンロードできるデータはありません。',
} as const
