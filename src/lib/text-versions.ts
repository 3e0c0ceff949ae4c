// The words about other versions of the app on the same device.
import type { Unreadable } from '#device/unreadable.ts'

export const versionsText = {
  outdated: 'とどけが新しいバージョンに更新されました。ページを再読み込みしてください。',
  blocked:
    'ほかのタブで古いバージョンのとどけが開いているため、下書きや送信待ちの投稿を開けません。そのタブを閉じてください。',
  unreadable: ({ posts, drafts, acts }: Unreadable): string => {
    const parts = [
      posts > 0 && `送信待ちの投稿${posts}件`,
      drafts > 0 && `下書き${drafts}件`,
      acts > 0 && `コメントやいいねなどの操作${acts}件`,
    ]
    return `ほかのバージョンのとどけで作成した${parts.filter(Boolean).join('と')}が、この端末にあります。このバージョンでは開けないため、そのまま残しています。新しいバージョンで開くと、続きから送信します。`
  },
  reload: '再読み込み',
} as const
