// Texts of the settings and of the account information.
import { everyoneSees } from '#src/domain/posts/audience-text.ts'
import type { MessageFrom, NotificationChannel } from '#contract/accounts/settings.ts'
import type { SettingCd } from '#contract/notifications/setting-codes.ts'

export const settingsText = {
  notChanged: '変更を保存できませんでした。',
  groups: {
    account: 'アカウント',
    notices: '通知',
    safety: 'プライバシーと安全',
    display: '表示',
    support: 'サポート',
    law: '規約',
  },
  rows: {
    info: 'アカウント情報',
    email: 'メールアドレス',
    password: 'パスワード',
    notification: '通知の設定',
    privacy: 'プライバシーと安全',
    blocks: 'ブロックとミュート',
    reports: '通報と処分の履歴',
    profile: 'プロフィール',
    plans: 'プラン',
    purchases: '購入履歴',
    sales: '売上管理',
    seller: '販売者の情報',
    ageLimited: '年齢制限のある投稿',
    help: 'ヘルプ',
    uploadTest: '通信テスト',
    about: 'とどけについて',
    terms: '利用規約',
    privacyPolicy: 'プライバシーポリシー',
    commerce: '特定商取引法に基づく表記',
  },
  shown: '表示する',
  notShown: '表示しない',
  signOut: 'ログアウト',
} as const

export const notificationText = {
  lead: '種類ごとに、どこで受け取るかを選べます。変更はすぐに保存されます。',
  kind: '種類',
  channels: { in_app: 'アプリ内', push: 'プッシュ', mail: 'メール' } satisfies Record<
    NotificationChannel,
    string
  >,
  none: 'なし',
  foot: 'アカウントの安全にかかわるメールは、この設定にかかわらずお送りします。',
  kinds: {
    message: 'メッセージ',
    follow: 'フォローされたとき',
    like_post: '投稿へのいいね',
    like_comment: 'コメントへのいいね',
    comment: '投稿へのコメント',
    reply_comment: 'コメントへの返信',
    mention: 'メンションされたとき',
    post: 'フォローしている人の投稿',
    plan_post: '加入しているプランの投稿',
    buy_post: '投稿の購入',
    plan: 'プランへの加入',
  } satisfies Record<SettingCd, string>,
} as const

export const noticeSettingsText = {
  title: '運営からのお知らせ',
  lead: 'お知らせは、通知の一覧に必ず届きます。ほかに受け取る方法を選べます。',
  push: 'お知らせをプッシュ通知で受け取る',
  mail: 'お知らせをメールで受け取る',
  advertising: '広告をプッシュ通知とメールで受け取る',
  advertisingHint: 'オンにすると、とどけの広告の受け取りに同意します。いつでもオフにできます。',
  since: (day: string) => `${day}に同意しました。オフにすると、広告は届かなくなります。`,
} as const

export const privacyText = {
  seeing: '見えるもの',
  ageLimited: '年齢制限のある投稿を表示する',
  ageLimitedHint:
    '18歳以上の人に向けた投稿の内容を表示します。オフのときは、ぼかした画像を表示します。自分の投稿には影響しません。',
  sharing: '共有されたリンク',
  shareCard: '共有されたリンクに本文の冒頭と画像を表示する',
  shareCardHint: `公開範囲が「全体公開」の投稿：${everyoneSees}オフにすると、本文・画像・プロフィールは表示されず、検索エンジンの結果にも載りません。`,
  messages: 'メッセージを受け取る相手',
  from: {
    everyone: { label: 'すべての人', hint: 'ユーザーならだれからでも受け取ります。' },
    following: {
      label: 'フォローしている人',
      hint: '自分がフォローしている人と、プランの加入者から受け取ります。加入中のプランの一斉送信も受け取ります。',
    },
    plan_members: { label: 'プランの加入者', hint: '自分のプランに加入している人からだけ受け取ります。' },
    nobody: { label: 'だれからも受け取らない', hint: '新しいメッセージを受け取りません。' },
  } satisfies Record<MessageFrom, { label: string; hint: string }>,
  readMarks: '既読を知らせる',
  readMarksHint: 'オフのときは、相手が読んだかどうかも自分に表示されません。',
  presence: '最終ログインを表示する',
  presenceHint:
    'メッセージをやりとりしていて、この設定をオンにしている相手とだけ、最後にアプリを開いていた時刻（5分単位）と「オンライン」を互いに表示します。オフのときは、相手のものも表示されません。',
  messageText: 'プッシュ通知にメッセージの本文を表示する',
  messageTextHint:
    'オフのときは、送った人の名前と「メッセージが届きました」だけを表示します。ロック画面で本文を見られたくないときに便利です。',
  signIn: 'ログインと安全',
} as const

export const blocksText = {
  tabs: 'ブロックとミュート',
  tab: 'ブロック',
  lead: 'ブロックすると、お互いの投稿やコメントが表示されなくなり、フォローも外れます。相手には知らされません。',
  emptyTitle: 'ブロックした人はいません',
  emptyText: 'ブロックした人は、ここに並びます。',
  since: (day: string) => `${day}にブロック`,
  undo: '解除',
  undoOf: (name: string) => `${name}さんのブロックを解除`,
  undone: (name: string) => `${name}さんのブロックを解除しました。`,
  more: '続きを読み込む',
} as const

export const mutesText = {
  tab: 'ミュート',
  lead: 'ミュートした人の投稿とコメントは、一覧に表示されません。フォローはそのままで、相手には知らされません。',
  emptyTitle: 'ミュートした人はいません',
  emptyText: 'ミュートした人は、ここに並びます。',
  since: (day: string) => `${day}にミュート`,
  undo: '解除',
  undoOf: (name: string) => `${name}さんのミュートを解除`,
  undone: (name: string) => `${name}さんのミュートを解除しました。`,
  more: '続きを読み込む',
} as const

export const infoText = {
  public: 'ほかの人に表示されます',
  name: '名前',
  nameHint: 'ほかの人に表示される名前です。本名でなくてもかまいません。',
  private: 'ほかの人には表示されません',
  legalName: '氏名',
  legalNameHint: '本人確認など、本名が必要な手続きに使います。',
  legalNameKana: 'フリガナ',
  legalNameKanaHint: '全角カタカナで入力してください。例：トドケ　ハナコ',
  optional: '任意',
  birth: '生年月日',
  birthHint: '18歳以上であることの確認に使います。',
  birthLocked: '本人確認が済んでいるため、変更できません。',
  email: 'メールアドレス',
  changeEmail: 'メールアドレスを変更する',
  save: '保存する',
  saved: 'アカウント情報を保存しました。',
} as const
