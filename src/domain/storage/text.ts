// Texts about used storage, and how to make room.
export const storageText = {
  title: '保存容量',
  used: (used: string, limit: string) => `${used} / ${limit}`,
  line: (used: string, limit: string) => `保存容量 ${limit} のうち ${used} を使用しています。`,
  counted: '投稿とプロフィールのファイル、送信中のファイル、本人確認の書類の合計です。',
  nearly: '残りが少なくなっています。不要な投稿を削除すると、そのファイルの分が30日後に空きます。',
  full: '上限に達しているため、新しいファイルは保存できません。保存したファイルは削除されません。不要な投稿を削除すると、そのファイルの分が30日後に空きます。',
  look: '保存容量を確認する',
} as const
