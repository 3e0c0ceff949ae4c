// The words about picked media: preparing it, describing it, and what could not be shown. One sentence is the specification's.

export const mediaText = {
  takePhoto: '写真を撮る',
  takeVideo: '動画を撮る',
  preparing: '画像を準備しています',
  /** Specification section 8. */
  cannotShow: 'cannot show this file',
  keepSize: '写真を元の大きさのまま送る',
  keepSizeHint: 'これから追加する写真に適用します。撮影場所などの情報は必ず取り除きます。',
  alt: (name: string, said: boolean) => (said ? `${name}の説明を編集` : `${name}に説明を付ける`),
  altTitle: '画像の説明',
  altHint: '画像が見えない人に、読み上げで伝わります。',
  altField: '説明',
  altSave: '保存',
  close: '閉じる',
} as const
