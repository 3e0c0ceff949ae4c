// Texts for the author of a file that could not be processed, with possible actions.
import type { MediaFailure, MediaKind } from '#contract/posts/media.ts'

const video: Record<MediaFailure, string> = {
  unreadable: 'この動画は読み込めませんでした。ファイルが壊れているか、途中で切れている可能性があります。',
  needs_converter:
    'この動画の公開には変換が必要ですが、このサーバーには変換する機能がありません。動画編集アプリでMP4（H.264、HDRではない形式）に書き出して、もう一度投稿してください。',
  too_large: 'この動画は大きすぎるため、処理できませんでした。',
  gave_up:
    'この動画は、時間内に処理が終わりませんでした。短くするか、解像度を下げて、もう一度投稿してください。',
  no_sandbox:
    'サーバーの準備が整っていないため、この動画を処理できませんでした。ファイルは保存されています。しばらくしてから、もう一度処理してください。',
}

const image: Record<MediaFailure, string> = {
  unreadable: 'この画像は読み込めませんでした。ファイルが壊れているか、途中で切れている可能性があります。',
  needs_converter:
    'この画像は、ブラウザーで表示できない形式です。JPEGで書き出して、もう一度投稿してください。',
  too_large: 'この画像は大きすぎるため、処理できませんでした。縮小して、もう一度投稿してください。',
  gave_up: 'この画像は、時間内に処理が終わりませんでした。もう一度投稿してください。',
  no_sandbox:
    'サーバーの準備が整っていないため、この画像を処理できませんでした。ファイルは保存されています。しばらくしてから、もう一度処理してください。',
}

const byKind = { image, video } satisfies Record<MediaKind, Record<MediaFailure, string>>

/** Why this file cannot be shown, for its author. */
export function failureText(kind: MediaKind, failure: MediaFailure): string {
  return byKind[kind][failure]
}

export const processingText = {
  again: 'もう一度処理する',
  requesting: '依頼しています',
  /** Behind the reason of a failure in an earlier version. */
  newer:
    'その後とどけが新しくなり、扱えるファイルが増えました。もう一度処理すると、表示できることがあります。',
  /** In a cell of the feed's grid; the post's page shows the reason. */
  failedImage: 'この画像は表示できません',
} as const
