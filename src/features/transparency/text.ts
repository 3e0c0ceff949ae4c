// Texts of the transparency page.
import type { HoldReason } from '#contract/moderation/hold-names.ts'
import { FEW, type PublicCount } from '#contract/inquiries/transparency.ts'

export const transparencyText = {
  lead: '通報、申立て、運営の対応の件数を、四半期ごとに公開しています。1時間に1回、更新します。',
  few: (count: PublicCount) => (count === 'few' ? `${FEW}件未満` : `${count.toLocaleString('ja-JP')}件`),
  fewNote: '個人が特定されるおそれがあるため、1件から4件までは「5件未満」と表示します。',
  quarter: (name: string) => {
    const [year, part] = name.split('-Q')
    const last = Number(part) * 3
    return `${year}年${last - 2}月〜${last}月`
  },
  what: '項目',
  count: '件数',
  reports: '受け付けた通報',
  decisions: '通報への判断',
  decisionNames: { acted: '対応した', dismissed: '違反なし', undone: '判断の取り消し' },
  measures: '対応の種類',
  appeals: '異議申し立て',
  appealNames: { sent: '受け付け', upheld: '判断を維持', granted: '判断を取り消し' },
  inquiries: '受け付けたお問い合わせ・申立て',
  outcomes: '申立ての結果',
  holds: '自動の確認待ち',
  holdsNote:
    '投稿やコメントを自動で確認待ちにした件数です。公開するかどうかは、運営メンバーか投稿の作者が判断しています。利用者が自分で設定したキーワードによるものは含みません。',
  holdNames: {
    word: 'ブロックしているキーワード',
    media: '削除した画像・動画との一致',
    link: 'リンク',
    undeclared: '年齢制限のある動画の宣誓がないもの',
    intimate: '写っている本人からの申出',
  } satisfies Record<HoldReason, string>,
  holdEnds: '確認待ちの結果',
  holdEndNames: { approved: '公開した', removed: '公開しなかった', withdrawn: '本人が削除した' },
  others: 'その他',
  suspended: '利用を停止したアカウント',
  authorities: '法令にもとづく機関への開示',
  automatic: '自動で行った判断',
  speed: '申立てへの対応の速度',
  median: '中央値',
  p90: '90パーセンタイル',
  within: '7日以内の割合',
  days: (days: number) => `${days.toLocaleString('ja-JP')}日`,
  share: (share: number) => `${Math.floor(share * 100)}%`,
  noSpeed: '判断した申立てが5件未満のため、表示しません。',
  none: 'まだ数値はありません',
  noneText: '最初の通報や申立てを受け付けると、ここに表示されます。',
} as const
