// Texts about other versions of the app on the same device.
import type { Unreadable } from '#device/database/unreadable.ts'

export const versionsText = {
  outdated: 'とどけが新しいバージョンに更新されました。ページを再読み込みしてください。',
  blocked:
    'ほかのタブで古いバージョンのとどけが開いているため、下書きや送信待ちの投稿を開けません。そのタブを閉じてください。',
  unreadable: ({ posts, drafts, acts }: Unreadable): string => {
    const parts = [
      posts > 0 && `送信待ちの投稿${posts}件`,
      drafts > 0 && `下書き${drafts}件`,
      acts > 0 && `メッセージやコメント、いいねなどの操作${acts}件`,
    ]
    return `ほかのバージョンのとどけで作成した${parts.filter(Boolean).join('と')}が、この端末にあります。このバージョンでは開けないため、そのまま残しています。新しいバージョンで開くと、続きから送信します。それでも開けない場合は、壊れている可能性があります。`
  },
  reload: '再読み込み',
  look: '内容を確認',
  sheet: '開けない内容',
  hint: '読み取れた文章はコピーできます。新しいバージョンでも開けないものは壊れている可能性があるため、削除してもかまいません。',
  kinds: { jobs: '送信待ちの投稿', drafts: '下書き', acts: 'メッセージやコメント、いいねなどの操作' },
  noText: '（読み取れる文章はありません）',
  copy: 'コピー',
  copied: '文章をコピーしました。',
  notCopied: 'コピーできませんでした。文章を選択してコピーしてください。',
  discard: '削除',
  discardTitle: 'この内容を削除しますか',
  discardText:
    'この端末から削除します。ほかのバージョンで作成した内容なら、新しいバージョンで開けるかもしれません。元に戻せません。',
  discardAct: '削除する',
  discarded: '開けない内容を削除しました。',
  discardFailed: '削除できませんでした。もう一度お試しください。',
} as const
