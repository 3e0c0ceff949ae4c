// Texts of /dev/media.

export const mediaGalleryText = {
  title: '画像と動画の見本',
  intro:
    '見せ方に特徴のあるファイルを、選んだままの姿と、投稿画面・ホーム・ビューアー・メッセージ・ポスターで並べて見比べます。',
  /** @param name of the person who receives the messages */
  publishHint: (name: string) =>
    `「投稿してメッセージで送る」を押すと、このアカウントで見本を1件ずつ投稿し、${name}さんにメッセージで送ります。表示されるのは、サーバーが実際に作ったファイルです。`,
  noPartner: 'フォロワーがいないため、メッセージは送りません。見本のクリエイターでログインすると送れます。',
  publish: '投稿してメッセージで送る',
  publishing: (done: number, all: number) => `送っています（${all}件中${done}件）`,
  remove: '投稿とメッセージを消す',
  removing: '消しています',
  list: '見本の一覧',
  views: (name: string) => `${name}の表示`,
  columns: {
    original: '選んだファイル',
    editor: '投稿画面',
    feed: 'ホーム',
    viewer: 'ビューアー',
    message: 'メッセージ',
    poster: 'ポスター',
  },
  making: 'ファイルを作っています',
  preparing: '投稿画面で準備しています',
  unsent: 'まだ送っていません',
  sending: 'サーバーへ送っています',
  refused: '—',
  refusedLabel: '断られたため、ありません',
  processing: 'サーバーで処理しています',
  noPoster: 'ポスターはありません',
  notMade: 'ファイルを作れませんでした。ffmpegがこのコンピューターにあるか確認してください。',
  notListed: '見本の一覧を読み込めませんでした。npm run dev で開いているか確認してください。',
  failed: 'うまくいきませんでした。ブラウザーのコンソールで理由を確認してください。',
} as const
