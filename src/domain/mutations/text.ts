// Texts about mutations that wait for the network or were refused.
import type { MutationName } from '#contract/mutations/mutations.ts'
import { number } from '#src/lib/format.ts'
import { errorText } from '#src/domain/api/errors-text.ts'

/** The refused mutation; `name`: the author, or the person to follow. */
const notDone: { readonly [it in MutationName]: (name: string) => string } = {
  likePost: (name) => `${name}さんの投稿に「いいね」できませんでした。`,
  unlikePost: (name) => `${name}さんの投稿への「いいね」を取り消せませんでした。`,
  likeComment: (name) => `${name}さんのコメントに「いいね」できませんでした。`,
  unlikeComment: (name) => `${name}さんのコメントへの「いいね」を取り消せませんでした。`,
  follow: (name) => `${name}さんをフォローできませんでした。`,
  unfollow: (name) => `${name}さんのフォローを解除できませんでした。`,
  addComment: (name) => `${name}さんへのコメントを送信できませんでした。`,
  readNotifications: () => '通知を既読にできませんでした。',
  sendMessage: (name) => `${name}さんへのメッセージを送信できませんでした。`,
  sendBroadcast: () => '一斉送信を受け付けられませんでした。',
  readConversation: () => 'メッセージを既読にできませんでした。',
}

export const mutationsText = {
  like: 'いいね',
  likeCount: (count: number) => `いいね ${number(count)}件`,
  waits: {
    network: '接続が戻ると送信します',
    foreign: 'サーバーの応答を待っています。接続先の確認が必要かもしれません',
  },
  /** `count`: mutations with foreign replies. */
  foreign: (count: number) =>
    `操作${count}件を送信できていません。公衆Wi-Fiへのログインなど、接続先の確認が必要かもしれません。サーバーにつながると、自動で送信します。`,
  /** `count`: mutations in this page's memory. */
  waitsHere: (count: number) =>
    `操作${count}件を端末に保存できませんでした（空き容量の不足など）。サーバーにつながると送信しますので、このページを開いたままにしてください。`,
  close: '閉じる',
  copy: 'コピー',
  copied: '本文をコピーしました。',
  notCopied: 'コピーできませんでした。',
  refused: (it: MutationName, name: string, code: keyof typeof errorText) =>
    `${notDone[it](name)}${errorText[code]}`,
} as const
