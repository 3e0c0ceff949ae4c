// Texts about people: profiles, follows, mutes, blocks.
import { number } from '#src/lib/format.ts'
import type { FollowList } from '#contract/people/follow-lists.ts'

export const peopleText = {
  count: (count: number) => number(count),
  posts: '投稿',
  followers: 'フォロワー',
  following: 'フォロー中',
  followsYou: 'フォローされています',
  links: 'リンク',
  more: 'その他の操作',
  message: 'メッセージを送る',
  reportMessages: '届いたメッセージを通報',
  messageTo: (name: string) => `${name}さんにメッセージを送る`,
  edit: 'プロフィールを編集',
  creatorPage: 'クリエイターページ',
  share: '共有',
  copyLink: 'リンクをコピー',
  copied: 'リンクをコピーしました。',
  notCopied: 'リンクをコピーできませんでした。',
  coverBroken: 'カバー画像を表示できません',

  follow: 'フォローする',
  followBack: 'フォローバック',
  // Each contains the button's visible label, for voice control.
  followOf: (name: string) => `${name}さんをフォローする`,
  followBackOf: (name: string) => `フォローバック・${name}さんをフォローする`,
  unfollowOf: (name: string) => `フォロー中・${name}さんのフォローを解除`,
  unfollow: 'フォローを解除',
  unfollowAsk: (name: string) => `${name}さんのフォローを解除しますか`,
  unfollowWhat: 'ホームの「フォロー中」に、この人の投稿が表示されなくなります。',

  mute: (name: string) => `${name}さんをミュート`,
  unmute: (name: string) => `${name}さんのミュートを解除`,
  muted: (name: string) => `${name}さんをミュートしました。一覧に投稿が表示されなくなります。`,
  unmuted: (name: string) => `${name}さんのミュートを解除しました。`,
  mutedHere: 'ミュート中です。この人の投稿は、ホームや検索には表示されません。',
  unmuteShort: 'ミュートを解除',

  block: (name: string) => `${name}さんをブロック`,
  unblock: 'ブロックを解除',
  blocked: (name: string) => `${name}さんをブロックしました。`,
  unblocked: (name: string) => `${name}さんのブロックを解除しました。`,
  blockAsk: (name: string) => `${name}さんをブロックしますか`,
  blockWhat:
    'お互いの投稿とコメントが見えなくなり、フォローはお互いに外れます。相手には知らされません。設定からいつでも解除できます。',
  blockAct: 'ブロックする',
  blockedTitle: 'ブロックしています',
  blockedText: 'お互いの投稿は表示されません。',
  report: 'この人を通報',

  notFound: 'このページは表示できません',
  detailsLater: '詳しいプロフィールは接続が戻ると表示します。',
  postsLater: '投稿は接続が戻ると表示します。',
  otherPostsLater: 'ほかの投稿は接続が戻ると表示します。',
  notFoundText: 'プロフィールが見つかりません。削除されたか、表示できない相手です。',

  types: { all: 'すべて', open: '全体公開', plan: 'プラン限定', paid: '有料' },
  tabs: '投稿の種類',
  noneOfType: 'この種類の投稿はまだありません',

  plans: 'プラン',
  sellerLaw: '特定商取引法に基づく表記',
  managePlans: 'プランを管理',

  lists: { followers: 'フォロワー', following: 'フォロー中' } satisfies Record<FollowList, string>,
  listOf: (name: string) => `${name}さんのフォロー`,
  noFollowers: 'まだフォロワーがいません',
  noFollowing: 'まだだれもフォローしていません',
  noFollowersText: 'フォローされると、ここに並びます。',
  noFollowingText: 'フォローすると、投稿がホームに届きます。',
  findPeople: 'ホームで新しい投稿を見る',
  loadMore: '続きを読み込む',
  suggested: 'おすすめのクリエイター',
  notDone: '変更を保存できませんでした。',
} as const

export const profileFormText = {
  cover: 'カバー画像',
  avatar: 'アイコン',
  name: '名前',
  nameHint: 'ほかの人に表示される名前です。',
  handle: 'ユーザー名',
  handleHint:
    '半角の英小文字・数字・アンダースコア（_）で3〜20文字です。投稿で @ユーザー名 と書くと、プロフィールにつながります。',
  handleFree: (handle: string) => `@${handle} は使えます。`,
  handleTaken: 'このユーザー名は使われています。別の名前を入力してください',
  bio: '自己紹介',
  bioHint: 'URL・#タグ・@ユーザー名 はリンクになります。',
  link: (n: number) => `リンク ${n}`,
  linksHint: 'https:// で始まるURLを、5つまで表示できます。',
  addLink: 'リンクを追加',
  optional: '任意',
  save: '保存する',
  saved: 'プロフィールを保存しました。',
} as const
