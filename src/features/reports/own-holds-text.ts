// Texts of the viewer's posts and comments that wait for a review.
import type { HoldReason, HoldState, Reviewer } from '#contract/moderation/hold-names.ts'

export const ownHoldsText = {
  tab: '確認待ち',
  lead: '自動の確認で、公開の前に人が見ることになった投稿とコメントです。違反と決まったわけではありません。確認が終わるまでは、あなただけに表示されます。',
  none: '確認待ちの投稿とコメントはありません',
  noneText: '確認が必要になったときは、ここと通知でお知らせします。',
  more: '続きを読み込む',
  kinds: { post: '投稿', comment: 'コメント' },
  states: {
    open: '確認待ち',
    approved: '公開されました',
    removed: '公開されませんでした',
    withdrawn: '削除しました',
  } satisfies Record<HoldState, string>,
  reasons: {
    word: '確認が必要なキーワードが含まれています',
    media: '運営が以前に削除した画像・動画と同じか、よく似たものが含まれています',
    link: '登録から間もないアカウントからのリンクが含まれています',
    undeclared: '年齢制限のある動画を販売するための宣誓がありません。投稿を開くと宣誓できます',
    intimate: '写っている本人から公開をやめるよう申出がありました',
  } satisfies Record<HoldReason, string>,
  word: (word: string) => `確認が必要なキーワード（${word}）が含まれています`,
  reviewers: { staff: '運営が確認します。', creator: '投稿者が確認します。' } satisfies Record<
    Reviewer,
    string
  >,
  appeal:
    '公開されなかったときは、「処分」の一覧から異議を申し立てられます。急ぐ場合や、内容を直したい場合は、投稿を編集または削除できます。',
  open: '投稿を開く',
} as const
