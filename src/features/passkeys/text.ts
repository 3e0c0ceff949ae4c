// Texts about passkeys.

export const passkeysText = {
  title: 'パスキー',
  hint: '顔や指紋、画面ロックでログインできます。パスワードより安全で、入力もいりません。',
  none: 'まだ登録されていません。',
  add: 'パスキーを登録',
  added: 'パスキーを登録しました。',
  backedUp: '同期あり',
  created: (day: string) => `${day}に登録`,
  neverUsed: 'まだ使われていません',
  lastUse: '最後の利用',
  rename: (name: string) => `${name}の名前を変更`,
  renameTitle: 'パスキーの名前',
  name: '名前',
  save: '保存する',
  renamed: '名前を変更しました。',
  remove: (name: string) => `${name}を削除`,
  removeTitle: 'このパスキーを削除しますか',
  removeText: (name: string) =>
    `「${name}」ではログインできなくなります。端末やパスワード管理アプリに残っているパスキーは、端末の設定やアプリから削除してください。`,
  removeAct: '削除する',
  removed: 'パスキーを削除しました。',
  unsupported: 'このブラウザーではパスキーを使えません。',
  signIn: 'パスキーでログイン',
  validate: 'パスキーで確認する',
  required: {
    title: 'パスキーでの確認が必要です',
    validate: '管理画面は、パスキーでログインしたか、パスキーで確認した人だけが使えます。',
    set: '管理画面を使うには、パスキーが必要です。パスキーを登録してから、もう一度確認してください。',
  },
  or: 'または',
  /** The person closed the browser's question, or the key cannot verify its person. */
  notFinished:
    'パスキーでの確認が終わりませんでした。顔や指紋、画面ロックでの確認が使えないときは、パスワードでログインしてください。',
  /** What the browser or the person did, by the ends of ceremonies.ts. */
  ends: {
    known: 'この端末のパスキーは、すでに登録されています。',
    elsewhere: 'このURLではパスキーを使えません。',
    failed: 'パスキーを使えませんでした。もう一度お試しください。',
  },
} as const
