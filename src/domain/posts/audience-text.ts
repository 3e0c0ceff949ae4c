// Sentences about the audience of open posts, and about identity checks for others.

/** Said wherever a post can be made one for everyone: editor, audience sheet, help and settings (decision 050). */
export const everyoneSees =
  'とどけにログインしている人なら、だれでも見られます。共有されたリンクには、ログインしていない人にも、本文の冒頭と画像が表示されます。'

/** Said beside an author's choice of a plan or a price while no identity check of theirs is approved (decision 051). */
export const identityNoteText = {
  wanted:
    'プラン限定の投稿と有料の投稿を公開するには、本人確認の承認が必要です。入力した内容は、承認されるまでこの端末に残ります。',
  way: '本人確認へ進む',
} as const
