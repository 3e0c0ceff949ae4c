// The words of signing out, of posts that wait on this device, of sessions and of passkeys.

const posts = (count: number) => `送信待ちの投稿${count}件`

export const signOutText = {
  title: 'ログアウトしますか',
  act: 'ログアウトする',
  stay: 'やめる',
  /** What is deleted and what stays. */
  consequence: (drafts: number, unsent: number) => {
    const gone = `この端末の下書き${drafts}件は削除されます。`
    const kept = `${posts(unsent)}はこの端末に残り、次にログインすると続きから送信します。`
    return unsent > 0 ? gone + kept : gone
  },
} as const

export const parkedText = {
  label: '送信待ちの投稿',
  line: (name: string | undefined, count: number) =>
    name === undefined
      ? `送信待ちの投稿が${count}件あります。投稿した方がログインすると続きから送信します。`
      : `${name}さんの送信待ちの投稿が${count}件あります。ログインすると続きから送信します。`,
  discard: '削除',
  discardOf: (name: string | undefined) =>
    name === undefined ? '送信待ちの投稿を削除' : `${name}さんの送信待ちの投稿を削除`,
  title: '送信待ちの投稿を削除しますか',
  text: (count: number) =>
    `この端末に残っている投稿${count}件を、画像や動画とともに削除します。元に戻せません。`,
  act: '削除する',
  done: '送信待ちの投稿を削除しました。',
  failed: '削除できませんでした。もう一度お試しください。',
} as const

export const sessionsText = {
  title: 'ログイン中の端末',
  hint: '心当たりのない端末があるときは、ログアウトさせて、パスワードを変更してください。',
  unknown: '名前の分からない端末',
  current: 'この端末',
  method: { password: 'パスワード', passkey: 'パスキー', registration: '新規登録' },
  since: (day: string) => `${day}にログイン`,
  lastUse: '最後の利用',
  usingNow: '利用中',
  revoke: 'ログアウト',
  revokeOf: (name: string) => `${name}をログアウトさせる`,
  revokeTitle: 'この端末をログアウトさせますか',
  revokeText: (name: string) =>
    `「${name}」は、次に操作したときにログアウトします。その端末の下書きと送信待ちの投稿は、その端末に残ります。`,
  revokeAct: 'ログアウトさせる',
  revoked: '端末をログアウトさせました。',
  others: 'ほかの端末をすべてログアウト',
  othersTitle: 'ほかの端末をすべてログアウトさせますか',
  othersText: (count: number) => `この端末のほかの${count}件が、次に操作したときにログアウトします。`,
  othersDone: (count: number) => `${count}件の端末をログアウトさせました。`,
  failed: 'ログアウトさせられませんでした。もう一度お試しください。',
} as const

export const passkeysText = {
  title: 'パスキー',
  hint: '顔や指紋、画面ロックでログインできます。パスワードより安全で、入力もいりません。',
  none: 'まだ登録されていません。',
  add: 'パスキーを登録',
  added: 'パスキーを登録しました。',
  backedUp: '同期される',
  created: (day: string) => `${day}に登録`,
  neverUsed: 'まだ使われていません',
  lastUse: '最後の利用',
  rename: (name: string) => `${name}の名前を変える`,
  renameTitle: 'パスキーの名前',
  name: '名前',
  save: '保存する',
  renamed: '名前を変えました。',
  remove: (name: string) => `${name}を削除`,
  removeTitle: 'このパスキーを削除しますか',
  removeText: (name: string) =>
    `「${name}」ではログインできなくなります。端末やパスワード管理アプリに残る鍵は、そちらで削除してください。`,
  removeAct: '削除する',
  removed: 'パスキーを削除しました。',
  unsupported: 'このブラウザーではパスキーを使えません。',
  signIn: 'パスキーでログイン',
  validate: 'パスキーで確認する',
  or: 'または',
  /** What the browser or the person did, by the ends of ceremonies.ts. */
  ends: {
    known: 'この端末のパスキーは、すでに登録されています。',
    elsewhere: 'このアドレスではパスキーを使えません。',
    failed: 'パスキーを使えませんでした。もう一度お試しください。',
  },
} as const
