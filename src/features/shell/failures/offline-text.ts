// Texts of a page without network.

export const offlineText = {
  title: 'オフラインです',
  notRead: 'このページはまだ読み込まれていないため、表示できません。接続が戻ると、自動で読み込みます。',
  readAt: '最終更新',
} as const
