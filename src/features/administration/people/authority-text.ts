// Texts of files for an authority.
import type { AuthorityExport } from '#contract/administration/authority-exports.ts'

export const authorityText = {
  title: '捜査機関などからの照会',
  lead: '照会に回答するファイルを作成します。作成した管理者だけが、24時間ダウンロードできます。一覧の閲覧、作成、ダウンロードは記録されます。',
  act: '回答のファイルを作成',
  show: '作成したファイルを見る',
  none: '作成したファイルはありません。',
  content:
    '登録内容、ログインの記録、投稿、コメント、支払い、通報されたメッセージのうち、期間中のものが入ります。',
  case_number: '照会の番号',
  from: '期間の開始日',
  to: '期間の終了日',
  wrongOrder: '開始日より後の日付を入力してください。',
  make: '作成する',
  requested: 'ファイルを作成しています。',
  days: (from: string, to: string) => `${from}から${to}まで`,
  until: (time: string) => `（${time}まで）`,
  download: 'ダウンロード',
  states: {
    waiting: '作成中',
    ready: 'ダウンロードできます',
    failed: '作成できませんでした',
    expired: '期限切れ',
  } satisfies Record<AuthorityExport['state'], string>,
} as const
