// Texts about picked media: preparation, description and files that cannot be shown.
import { MAX_FRAMES, MAX_PIXELS } from '#contract/limits.ts'
import { text } from '#src/domain/text/text.ts'
import type { PictureProblem } from '#contract/kinds/measure.ts'

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
  stilled: (name: string) =>
    `${name}：この端末では動きを変換できなかったため、最初の1コマだけを送ります。動いたまま送るには、GIFなどにしてから選び直してください。`,
  stop: '動く画像を停止',
  play: '動く画像を再生',
  keepSize: '写真を元のサイズで送信する',
  keepSizeHint: 'これから追加する写真に適用します。撮影場所などの情報は必ず削除します。',
  alt: (name: string, hasText: boolean) => (hasText ? `${name}の説明を編集` : `${name}に説明を付ける`),
  altTitle: '画像の説明',
  altHint: '画面読み上げを使う人に、画像の内容を伝えます。',
  altField: '説明',
  altSave: '保存',
  close: '閉じる',
} as const

const hundredMillions = `${MAX_PIXELS / 100_000_000}億`

/** Why a picked picture cannot be sent, with the limit. */
export const pictureProblemText: Record<PictureProblem, string> = {
  broken:
    '画像を表示できません。ファイルが壊れているか、途中で切れている可能性があります。別のファイルを選択してください',
  no_avif:
    'このブラウザーではAVIFの画像を読み取れません。ブラウザーを更新するか、JPEGなどにしてから選択してください',
  too_large: `画像が大きすぎます。縦×横が${hundredMillions}画素以下の画像を選択してください`,
  too_many_frames: `動く画像は${MAX_FRAMES}コマまで、全コマの画素の合計（縦×横×コマ数）が${hundredMillions}以下のものを選択してください`,
}

/** A profile's or plan's picture: its change and removal. */
export const pictureText = {
  making: '画像を準備しています',
  failed: 'この画像は使えませんでした。別の画像を選択してください。',
  unreadable: 'この画像を読み取れませんでした。別の画像を選択してください。',
  changed: '画像を変更しました。',
  removed: '画像を外しました。',
} as const

/** Words of the field of a picture. @param name what the picture is, such as アイコン */
export const pictureWords = (name: string) => ({
  name,
  change: `${name}を変更`,
  remove: `${name}を外す`,
  removeTitle: `${name}を外しますか`,
  removeText: '画像は削除され、元に戻せません。',
  removeAction: '外す',
  cancel: text.cancel,
  making: pictureText.making,
  cropTitle: '表示する範囲',
  cropHint: 'ドラッグで位置を、スライダーで拡大率を調整できます。矢印キーでも動かせます。',
  zoom: '拡大',
  cropAct: 'この範囲を使う',
  working: text.working,
  close: text.close,
})
