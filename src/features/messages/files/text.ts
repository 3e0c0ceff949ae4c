// Texts about images and videos that are picked for a message or being sent.
import { MAX_MESSAGE_IMAGES } from '#contract/limits.ts'
import { pictureProblemText } from '#src/domain/media/text.ts'
import type { PickProblem } from './pick-problem.ts'

export const messageFilesText = {
  add: '画像・動画を追加',
  choose: '写真・動画を選択',
  picked: '送信する画像・動画',
  remove: (name: string) => `${name}を外す`,
  takeOut: '外す',
  storing: 'この端末に保存しています',
  lost: '選び直してください',
  drop: 'ここにドロップして追加',
  problems: {
    unsupported: 'この形式のファイルは送信できません。',
    too_big: '合計1GBまで送信できます。',
    too_many_images: `画像は1通に${MAX_MESSAGE_IMAGES}枚まで送信できます。`,
    one_video_only: '動画は1通に1本まで送信できます。',
    no_room: 'この端末の空き容量が足りません。',
    unreadable: 'ファイルを読み取れませんでした。',
    unconvertible: 'この画像は使えませんでした。別の画像を選択してください。',
    no_picture: '音声だけの動画は送信できません。映像のある動画を選択してください。',
    no_data:
      '動画の映像がファイルに入っていません。途中で切れている可能性があります。別のファイルを選択してください。',
    evicted: 'この端末の保存領域が消去されたため、外れました。もう一度選択してください。',
    broken: `${pictureProblemText.broken}。`,
    no_avif: `${pictureProblemText.no_avif}。`,
    too_large: `${pictureProblemText.too_large}。`,
    too_many_frames: `${pictureProblemText.too_many_frames}。`,
  } satisfies Record<PickProblem, string>,
  problem: (name: string, sentence: string) => `${name}：${sentence}`,
  heldByPage:
    'この端末の空き容量が足りないため、保存せずに送信します。送信が終わるまで、ページを開いたままにしてください。',
  changed: 'ほかのタブで画像・動画が変更されました。確認してから、もう一度送信してください。',
  notSent: 'メッセージを送信できませんでした。内容はこの画面に残っています。',

  /** On a file that the server has not made yet. */
  processing: '準備中',
  fileOf: (now: number, all: number) => `送信中の${all}件中${now}件目`,
  progress: (percent: number, amount: string) => `送信中 ${percent}%・${amount}`,
  waiting: '待機中。自動で再送します',
  noRoom: '待機中。サーバーの空きができると送信します',
  foreign: '待機中。サーバーにつながると送信します',
  paused: '一時停止中',
  resume: '再開する',
  away: 'ファイルを開いていたページが閉じられました。画面下の送信中の一覧から同じファイルを選び直すと、続きから送信します。',
  keepOpen: '送信が終わるまで、ページを開いたままにしてください。',
  cancelling: '取り消しています',
  cancel: '送信を取り消す',
  cancelTitle: '送信を取り消しますか',
  cancelText: 'メッセージは、画像や動画とともにこの端末から削除されます。',
  cancelAct: '取り消す',
  goOn: '送信を続ける',
} as const
