// Texts of reports and their results.
import type { ReportKind, ReportReason, ReportState } from '#contract/posts/reports.ts'

export const reportText = {
  title: {
    post: '投稿を通報',
    comment: 'コメントを通報',
    person: 'ユーザーを通報',
    message: 'メッセージを通報',
  } satisfies Record<ReportKind, string>,
  lead: '通報した人がだれかは、相手に知らされません。運営が内容を確認します。',
  messageLead:
    'このメッセージと前後のやりとり（あわせて20件まで）を、確認のために運営が読みます。通報していないやりとりは読みません。',
  choose: '通報するメッセージを選んでください',
  chooseLead:
    '届いたメッセージは、ブロックや削除のあとも30日間は通報できます。新しいものから20件まで表示しています。',
  noMessages: '通報できるメッセージはありません。',
  filesOnly: (count: number) => `画像・動画${count}件`,
  reason: '理由',
  reasons: {
    copyright: { label: '著作権の侵害', hint: '自分や他人の作品が無断で使われている' },
    sexual: { label: '性的な内容', hint: '年齢制限のない投稿に性的な内容がある' },
    harassment: { label: '嫌がらせ・いじめ', hint: '中傷、脅し、つきまとい' },
    spam: { label: 'スパム', hint: '宣伝の繰り返し、詐欺、不正なリンク' },
    impersonation: { label: 'なりすまし', hint: '他人や団体のふりをしている' },
    minor: { label: '未成年に関わる問題', hint: '18歳未満の人が関わっている、または狙われている' },
    privacy: { label: '個人情報', hint: '住所や電話番号などが公開されている' },
    other: { label: 'その他', hint: '上のどれにも当てはまらない' },
  } satisfies Record<ReportReason, { label: string; hint: string }>,
  pick: '理由を選択してください。',
  detail: '詳しい内容',
  detailHint: 'どこがどう問題かを書いていただくと、確認が早くなります。',
  optional: '任意',
  send: '通報する',
  missing: 'すでに削除されたか、表示できなくなったため、通報できませんでした。',
  thanks: '通報を受け付けました',
  changed: '通報の内容を更新しました',
  decided: 'すでに確認が終わっています',
  thanksText: 'ご協力ありがとうございます。結果は「通報の履歴」で確認できます。',
  decidedText: '前にいただいた通報は確認が終わっています。結果は「通報の履歴」で確認できます。',
  history: '通報の履歴',
  next: (name: string) => `${name}さんの投稿を見たくないときは`,
  close: '閉じる',

  what: {
    post: (name: string) => `${name}さんの投稿`,
    comment: (name: string) => `${name}さんのコメント`,
    person: (name: string) => `${name}さん`,
    message: (name: string) => `${name}さんのメッセージ`,
  } satisfies Record<ReportKind, (name: string) => string>,
  states: {
    open: '受付済み',
    acted: '対応しました',
    dismissed: '問題は見つかりませんでした',
  } satisfies Record<ReportState, string>,
  at: (day: string) => `${day}に通報`,
  decidedAt: (day: string) => `${day}に確認`,
  historyLead: '自分が送った通報と、その結果です。相手には知らされません。',
  none: '通報はありません',
  noneText: '問題のある投稿・コメント・ユーザー・メッセージは、それぞれのメニューから通報できます。',
  more: '続きを読み込む',
} as const

/** What a block does to paid memberships. */
export const blockText = {
  own: (plan: string, until: string) =>
    `加入中のプラン「${plan}」は解約になり、ブロックしている間は閲覧できません（お支払い済みの期間は${until}まで）。返金はありません。`,
  ownPaid: (plan: string, until: string) =>
    `自動更新の止まったプラン「${plan}」は、ブロックしている間は閲覧できません（お支払い済みの期間は${until}まで）。返金はありません。`,
  theirs: (plan: string) =>
    `この人は、あなたのプラン「${plan}」のメンバーです。ブロックすると終了し、今月分をこの人に返金します。`,
  unread:
    'この人のプランに加入しているときは解約になります。この人があなたのプランのメンバーのときは終了し、今月分を返金します。',
} as const
