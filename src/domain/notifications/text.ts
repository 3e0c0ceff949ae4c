// Texts around notifications; the sentence of each is in `contract/notifications/notification-text.ts`.
export const notifyText = {
  title: '通知',
  unread: '未読',
  unreadCount: (count: number) => (count > 99 ? '未読99件以上' : `未読${count}件`),
  readAll: 'すべて既読にする',
  allRead: 'すべて既読にしました。',
  notRead: '既読にできませんでした。',
  more: '続きを読み込む',
  postDeleted: 'この投稿は表示できません',
  emptyTitle: 'まだ通知はありません',
  emptyText: 'いいねやコメント、フォローがあると、ここでお知らせします。',
  settings: '通知の設定',
  notice: 'お知らせ',
  noticeNotFound: 'このお知らせは表示できません',
  noticeNotFoundText: '公開が終わったか、URLが間違っている可能性があります。',
  toList: '通知の一覧',
} as const
