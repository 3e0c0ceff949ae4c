// Texts of home.
export const feedText = {
  tabs: 'フィード',
  kinds: { following: 'フォロー中', latest: '新着', plans: 'プラン' },
  list: (kind: string) => `${kind}の投稿`,
  newer: '新しい投稿があります',
  refreshing: '更新しています',
  refreshFailed: '更新できませんでした。',
  seeLatest: '新着を見る',
  none: {
    following: {
      title: 'フォロー中の投稿はまだありません',
      text: '気になる人をフォローすると、その人の投稿がここに届きます。',
    },
    latest: { title: 'まだ投稿がありません', text: '最初の投稿を届けてみましょう。' },
    plans: {
      title: 'プランの投稿はまだありません',
      text: 'プランに加入すると、加入した人だけが見られる投稿がここに届きます。',
    },
  },
} as const
