// Texts of decisions about the viewer, and of appeals.
import type { ReportKind } from '#contract/posts/reports.ts'

export const decisionsText = {
  tabs: { reports: '通報', decisions: '処分' },
  label: '通報と処分の履歴',
  lead: '運営があなたの投稿やアカウントに対してとった対応です。納得できないときは、1回に限り異議を申し立てられます。',
  none: '処分はありません',
  noneText: '運営が対応をとったときは、ここと、メールでお知らせします。',
  more: '続きを読み込む',
  what: {
    post: '投稿',
    comment: 'コメント',
    person: 'プロフィール',
    message: 'メッセージ',
  } satisfies Record<ReportKind, string>,
  rule: '理由',
  target: '対象',
  until: (time: string) => `${time}まで`,
  ended: '終了',
  undone: '取り消されました',
  decidedAt: (day: string) => `${day}に決定`,
  appeal: '異議を申し立てる',
  appealTitle: '異議申し立て',
  appealLead:
    '運営の別の担当者が、もう一度確認します。事情や、決まりに反していないと考える理由を書いてください。申し立ては1回だけです。',
  appealField: '申し立ての内容',
  appealUntil: (time: string) => `${time}まで申し立てられます。`,
  send: '申し立てる',
  required: '入力してください。',
  sent: '異議申し立てを受け付けました。',
  over: '期限を過ぎたか、すでに申し立て済みのため、受け付けられませんでした。',
  failed: '申し立てを送れませんでした。',
  states: { open: '確認中', upheld: '判断は変わりませんでした', granted: '申し立てが認められました' },
  yours: 'あなたの申し立て',
  answer: '運営からの回答',
  records: '購入履歴と領収書',
  recordsHint: '利用停止の間も、購入履歴を確認し、領収書を発行できます。',
  recordsClosed:
    'このリンクでは購入履歴を表示できません。利用停止が終わっているときは、ログインしてから購入履歴をご覧ください。',
  toDecision: '処分の内容へ',
  title: '処分の内容',
  linkInvalid: 'リンクが正しくないか、この内容はすでにありません。メールのリンクをもう一度開いてください。',
} as const
