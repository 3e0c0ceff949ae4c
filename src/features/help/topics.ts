// The topics of the help, in the order of their list.
import type { Section } from '#src/ui/text/document.tsx'

export interface HelpText {
  lead: string
  questions: readonly Section[]
}

export const topics = [
  {
    path: '/help/general-information',
    title: '基本の使い方',
    summary: '投稿の送信、ファイル、下書き、オフライン、インストール',
  },
  {
    path: '/help/account',
    title: 'アカウント',
    summary: '登録、ログイン、パスワード、メールアドレス、アカウントの削除',
  },
  {
    path: '/help/member',
    title: 'ユーザーとプライバシー',
    summary: '見える情報、年齢制限、ブロック、本人確認',
  },
  {
    path: '/help/notification',
    title: '通知',
    summary: '受け取る通知の選び方、届かないとき、メール',
  },
  {
    path: '/help/plan',
    title: 'プランと有料の投稿',
    summary: '公開範囲、購入、プランへの加入と解約、領収書',
  },
] as const

export const helpText = {
  indexLead: 'とどけの使い方を、よくある質問の形でまとめています。',
  topics: 'ヘルプの項目',
  law: '規約と法令に基づく表示',
  others: 'ほかの項目',
} as const

/** The legal pages and the page about the service. */
export const lawPages = [
  { path: '/settings/terms-of-service', title: '利用規約' },
  { path: '/settings/privacy-policy', title: 'プライバシーポリシー' },
  { path: '/settings/commercial-transactions-act', title: '特定商取引法に基づく表記' },
  { path: '/about/transparency', title: '透明性レポート' },
  { path: '/contact', title: 'お問い合わせ・申立て' },
  { path: '/about', title: 'とどけについて' },
] as const
