// Texts of a post that waits for a review, for its author.
import type { HoldReason } from '#contract/moderation/hold-names.ts'

export const heldText = {
  title: '確認待ちのため、まだ公開されていません',
  undeclaredTitle: '宣誓がないため、まだ公開されていません',
  declare: '宣誓して公開する',
  declared: '宣誓を記録しました。',
  hiddenTitle: '申出を確認するため、非公開にしています',
  reasons: {
    word: (word: string) =>
      `確認が必要なキーワード${word === '' ? '' : `（${word}）`}が含まれているため、運営の担当者が確認します。`,
    media: () =>
      '運営が以前に削除した画像・動画と同じか、よく似たものが含まれているため、運営の担当者が確認します。',
    link: () => 'リンクが含まれているため、運営の担当者が確認します。',
    intimate: () =>
      '写っている本人から公開をやめるよう申出があったため、運営の担当者が確認します。メールのリンクから、2日以内に回答できます。',
    undeclared: () => '年齢制限のある動画を販売するための宣誓がありません。宣誓すると公開されます。',
  } satisfies Record<HoldReason, (word: string) => string>,
  note: '違反と決まったわけではありません。問題がなければ自動的に公開され、そのときにフォロワーへ通知されます。公開されなかったときは、異議を申し立てられます。',
  hiddenNote:
    '違反と決まったわけではありません。問題がなければ自動的に公開に戻ります。削除されたときは、異議を申し立てられます。',
  more: '確認の状況を見る',
} as const
