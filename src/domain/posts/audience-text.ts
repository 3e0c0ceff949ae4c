// Sentences about the audience of open posts, and about identity checks for others.

/** Shown where a post can be made public: editor, audience sheet, help, settings (decision 050). */
export const everyoneSees =
  'とどけにログインしている人なら、だれでも見られます。共有されたリンクには、ログインしていない人にも、本文の冒頭と画像が表示されます。'

/** Shown at a plan or price while the author has no approved identity check (decision 051). */
export const identityNoteText = {
  wanted:
    'プラン限定の投稿と有料の投稿を公開するには、本人確認の承認が必要です。入力した内容は、承認されるまでこの端末に残ります。',
  toVerification: '本人確認へ進む',
} as const
