// Texts of the actions of a post and of their sheets.
import type { HoldReason } from '#contract/moderation/hold-names.ts'
import { number } from '#src/lib/format.ts'
import { everyoneSees } from '#src/domain/posts/audience-text.ts'

export const sendPostText = {
  act: 'メッセージで送る',
  title: 'この投稿をメッセージで送る',
  toMembers: 'プランのメンバーに一斉送信',
  people: 'トークの相手',
  none: 'まだトークがありません。プロフィールの「メッセージ」から始められます。',
  notRead: 'トークを読み込めませんでした。',
  more: '続きを読み込む',
  send: '送る',
  sendTo: (name: string) => `${name}さんに送る`,
  sent: (name: string) => `${name}さんに投稿を送ります。`,
} as const

export const postText = {
  comments: (count: number) => `コメント ${number(count)}件`,
  share: '共有',
  copyLink: 'リンクをコピー',
  copied: 'リンクをコピーしました。',
  notCopied: 'コピーできませんでした。アドレスバーからコピーしてください。',
  sharedText: (name: string) => `${name}さんの投稿`,
  heldTitle: '確認待ちのため、まだ公開されていません',
  held: {
    word: (word: string) =>
      `確認が必要なキーワード${word === '' ? '' : `（${word}）`}が含まれているため、運営の担当者が確認します。`,
    media: () =>
      '運営が以前に削除した画像・動画と同じか、よく似たものが含まれているため、運営の担当者が確認します。',
    link: () => 'リンクが含まれているため、運営の担当者が確認します。',
  } satisfies Record<HoldReason, (word: string) => string>,
  heldNote:
    '違反と決まったわけではありません。問題がなければ自動的に公開され、そのときにフォロワーへ通知されます。公開されなかったときは、異議を申し立てられます。',
  heldMore: '確認の状況を見る',
  edited: '編集済み',
  editedAt: (at: string) => `${at}に編集`,
  menu: '投稿のメニュー',
  notFound: 'このページは表示できません',
  notFoundText: '投稿が見つかりません。削除されたか、表示できない投稿です。',

  edit: '本文を編集',
  editTitle: '本文の編集',
  content: '本文',
  save: '保存',
  saved: '投稿を保存しました。',
  notSaved: '投稿の変更を保存できませんでした。',
  audience: '公開範囲を変更',
  audienceTitle: '公開範囲',
  everyone: '全体公開',
  everyoneHint: everyoneSees,
  plan: 'プラン限定',
  planHint: '選んだプランに加入している人が見られます。',
  noPlan: '自分のプランがないため、選択できません。',
  createPlan: 'プランを作る',
  paid: '有料',
  paidHint: '購入した人が見られます。',
  choosePlans: '見られるプラン',
  choosePlansFirst: 'プランを選択してください。',
  aMonth: '／月',
  price: '価格（税込）',
  priceHint: '100円〜50,000円',
  yen: '円',
  buyersKeep: '購入した人は、公開範囲や価格を変更したあとも見られます。',
  closesForOthers: '保存すると、対象でない人はすぐに見られなくなります。',
  soldToPlan: '購入した人がいるため、プラン限定には変更できません。',

  closeComments: 'コメントの受付を終了',
  openComments: 'コメントの受付を再開',
  commentsClosed: 'コメントの受付を終了しました。',
  commentsOpened: 'コメントの受付を再開しました。',

  remove: '投稿を削除',
  removeTitle: 'この投稿を削除しますか',
  removeText: '画像・動画・コメントも見られなくなります。削除した投稿は元に戻せません。',
  removeAct: '削除する',
  removed: '投稿を削除しました。',
  soldNotRemoved: '購入した人がいるため、この投稿は削除できません。',

  playVideo: '動画を再生',
  playback: '再生の設定',
  speed: (rate: number) => `速度 ${rate}倍`,
  usualSpeed: '速度 標準',
  bestQuality: '画質 自動',
  quality: (height: number) => `画質 ${height}p`,

  openImage: '画像を拡大する',
  lightbox: '画像の拡大表示',
  carousel: '画像の一覧',
  slide: '画像',
  imageOf: '{total}枚中{index}枚目',
  zoomIn: '拡大',
  zoomOut: '縮小',
} as const
