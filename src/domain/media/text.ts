// Texts about picked media: preparation, description and files that cannot be shown.

export const mediaText = {
  takePhoto: '写真を撮る',
  takeVideo: '動画を撮る',
  preparing: '画像を準備しています',
  unconverted: '変換できません',
  convertAgain: 'もう一度変換',
  sendAsPicked: 'そのまま送る',
  dropPicked: '削除',
  forPhoto: (action: string, name: string) => `${name}：${action}`,
  unconvertedWhy: {
    unconvertible: 'この端末では変換できませんでした。',
    interrupted: '変換が何度も途中で終わりました。',
    no_room: '空き容量が足りないため、変換できませんでした。',
  },
  unconvertedKept: '選んだ写真は、この端末に残っています。',
  sendAsPickedHint: '「そのまま送る」を選ぶと、サーバーで変換します。撮影場所などの情報は公開されません。',
  waitsForPhotos:
    '画像の準備が終わると、自動で投稿します。画面を閉じても、次に開いたときに続きから行います。',
  /** Specification section 8. */
  cannotShow: 'cannot show this file',
  keepSize: '写真を元のサイズで送信する',
  keepSizeHint: 'これから追加する写真に適用します。撮影場所などの情報は必ず削除します。',
  alt: (name: string, hasText: boolean) => (hasText ? `${name}の説明を編集` : `${name}に説明を付ける`),
  altTitle: '画像の説明',
  altHint: '画面読み上げを使う人に、画像の内容を伝えます。',
  altField: '説明',
  altSave: '保存',
  close: '閉じる',
} as const
