// The sign-out dialog's list of waiting data: posts, messages, and an identity check.
import { expect, test } from 'vitest'
import { parkedText, signOutText } from './text.ts'

const both = { post: 2, identity: 1, message: 0 }
const post = { post: 1, identity: 0, message: 0 }
const check = { post: 0, identity: 1, message: 0 }
const message = { post: 0, identity: 0, message: 2 }
const all = { post: 1, identity: 1, message: 2 }

const none = {
  drafts: 0,
  files: 0,
  comments: 0,
  messages: 0,
  forms: 0,
  here: 0,
  acts: 0,
  unsent: { post: 0, identity: 0, message: 0 },
}

test('the sign-out dialog names the data that stays', () => {
  const stays = (unsent: typeof both) =>
    signOutText.consequence({ ...none, drafts: 1, unsent }).split('。')[1]
  expect([post, check, both, message, all].map(stays)).toEqual([
    '送信待ちの投稿1件はこの端末に残り、次にログインすると続きから送信します',
    '送信待ちの本人確認はこの端末に残り、次にログインすると続きから送信します',
    '送信待ちの投稿2件と本人確認はこの端末に残り、次にログインすると続きから送信します',
    '送信待ちのメッセージ2件はこの端末に残り、次にログインすると続きから送信します',
    '送信待ちの投稿1件とメッセージ2件と本人確認はこの端末に残り、次にログインすると続きから送信します',
  ])
  expect(signOutText.consequence({ ...none, drafts: 3 })).toBe('この端末の下書き3件は削除されます。')
  const everything = {
    drafts: 1,
    files: 3,
    comments: 2,
    messages: 1,
    forms: 1,
    here: 1,
    acts: 3,
    unsent: both,
  }
  expect(signOutText.consequence(everything)).toBe(
    'この端末の下書き1件と書きかけのコメント2件と書きかけのメッセージ1件と選んだ画像・動画3件と保存していない入力1件は削除されます。' +
      'この端末に保存できなかった操作1件は、送信されずに失われます。' +
      '送信待ちの投稿2件と本人確認とメッセージやコメント、いいねなどの操作3件はこの端末に残り、次にログインすると続きから送信します。',
  )
})

test('the login page names the parked data', () => {
  expect([post, check, both, message].map((it) => parkedText.line('葵', it))).toEqual([
    '葵さんの送信待ちの投稿が1件あります。ログインすると続きから送信します。',
    '葵さんの送信待ちの本人確認があります。ログインすると続きから送信します。',
    '葵さんの送信待ちの投稿2件と本人確認があります。ログインすると続きから送信します。',
    '葵さんの送信待ちのメッセージ2件があります。ログインすると続きから送信します。',
  ])
  expect(parkedText.line(undefined, check)).toBe(
    '送信待ちの本人確認があります。ご本人がログインすると続きから送信します。',
  )
})

test('the deletion dialog names the parked data', () => {
  expect([post, check, both, message].map((it) => parkedText.discardOf('葵', it))).toEqual([
    '葵さんの送信待ちの投稿を削除',
    '葵さんの送信待ちの本人確認を削除',
    '葵さんの送信待ちの投稿と本人確認を削除',
    '葵さんの送信待ちのメッセージを削除',
  ])
  expect([post, check, both, message].map(parkedText.text)).toEqual([
    'この端末に残っている投稿1件を、画像や動画とともに削除します。元に戻せません。',
    'この端末に残っている本人確認の書類と動画を削除します。元に戻せません。',
    'この端末に残っている投稿2件と本人確認を、画像や動画とともに削除します。元に戻せません。',
    'この端末に残っているメッセージ2件を、画像や動画とともに削除します。元に戻せません。',
  ])
})
