// Texts of a person's blocked words, and of comments that wait for their review.
import type { HoldReason } from '#contract/moderation/hold-names.ts'

export const blockedWordsText = {
  tab: 'キーワード',
  lead: 'ブロックしたキーワードを含むコメントがあなたの投稿に届くと、あなたが確認するまで、書いた人以外には表示されません。どのキーワードに当てはまったかは、相手に知らされません。',
  how: 'ひらがなとカタカナ、全角と半角、大文字と小文字は区別しません。たとえば「ばか」をブロックすると「バカ」「ﾊﾞｶ」も対象になり、「ばかり」は対象になりません。',
  word: 'キーワードを追加',
  add: '追加',
  added: 'キーワードをブロックしました。',
  none: 'ブロックしたキーワードはありません。',
  list: 'ブロックしたキーワード',
  count: (count: number) => `${count}／200個`,
  remove: '外す',
  removeOf: (word: string) => `「${word}」のブロックを外す`,
  removed: (word: string) => `「${word}」のブロックを外しました。`,
  full: 'キーワードは200個までです。使わないものを外してください。',
  held: '確認待ちのコメント',
  noHeld: '確認を待っているコメントはありません。',
  reasons: {
    word: 'ブロックしたキーワードを含みます',
    link: '登録から間もないユーザーのリンクを含みます',
    media: '確認が必要な画像を含みます',
    intimate: '写っている本人から申出がありました',
  } satisfies Record<HoldReason, string>,
  wordIs: (word: string) => `「${word}」を含みます`,
  toPost: '投稿を開く',
  show: '表示する',
  delete: '削除する',
  shown: 'コメントを表示しました。',
  deleted: 'コメントを削除しました。',
  over: 'このコメントは、もう確認を待っていません。',
  more: '続きを読み込む',
} as const
