// Texts about mutations that wait for the network or were refused.
import type { MutationName } from '#contract/mutations/mutations.ts'
import { errorText } from '#src/domain/api/errors-text.ts'

/** How a mutation is called; `name`: whose post, comment or profile it is about. */
const called: { readonly [it in MutationName]: (name: string) => string } = {
  likePost: (name) => `${name}さんの投稿への「いいね」`,
  unlikePost: (name) => `${name}さんの投稿への「いいね」の取り消し`,
  likeComment: (name) => `${name}さんのコメントへの「いいね」`,
  unlikeComment: (name) => `${name}さんのコメントへの「いいね」の取り消し`,
  follow: (name) => `${name}さんのフォロー`,
  unfollow: (name) => `${name}さんのフォロー解除`,
  addComment: (name) => `${name}さんへのコメント`,
  readNotifications: () => '通知を既読にする操作',
}

export const mutationsText = {
  waits: {
    network: '接続が戻ると送信します',
    foreign: 'サーバーの応答を待っています。接続先の確認が必要かもしれません',
  },
  /** `count`: mutations that meet something else in the server's place. */
  foreign: (count: number) =>
    `操作${count}件を送信できていません。公衆Wi-Fiへのログインなど、接続先の確認が必要かもしれません。サーバーにつながると、自動で送信します。`,
  /** `count`: mutations that this page alone has. */
  waitsHere: (count: number) =>
    `操作${count}件を端末に保存できませんでした（空き容量の不足など）。サーバーにつながると送信しますので、このページを開いたままにしてください。`,
  close: '閉じる',
  copy: 'コピー',
  copied: 'コメントをコピーしました。',
  notCopied: 'コピーできませんでした。',
  refused: (it: MutationName, name: string, code: keyof typeof errorText) =>
    `${called[it](name)}は届きませんでした。${errorText[code]}`,
} as const
