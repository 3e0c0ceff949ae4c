// The sentences of notifications.
import { expect, test } from 'vitest'
import { messageText, notificationText } from './notification-text.ts'
import { settingCodes } from './setting-codes.ts'

const textOf = (code: string, others = 0, excerpt?: string) =>
  notificationText({ setting_cd: code }, { name: '花', others, excerpt })

test('the actor is named first, with the number of others', () => {
  expect(textOf('like_post').title).toBe('花さんがあなたの投稿に「いいね」しました')
  expect(textOf('like_post', 3).title).toBe('花さんとほか3人があなたの投稿に「いいね」しました')
  expect(textOf('follow', 1234).title).toBe('花さんとほか1,234人にフォローされました')
  expect(textOf('follow', 1).who).toBe('花さんとほか1人')
})

test('every kind has its own sentence, which begins with the actor', () => {
  const titles = settingCodes.map((code) => textOf(code).title)
  expect(new Set(titles).size).toBe(settingCodes.length)
  expect(titles.filter((it) => !it.startsWith('花さん'))).toEqual([])
})

test('notifications of the service name no person; an unknown code has a neutral sentence', () => {
  expect(textOf('identity')).toEqual({ title: '本人確認の結果が出ました', who: '', body: '' })
  expect(textOf('notice', 0, '夏のお休み')).toEqual({
    title: 'とどけからのお知らせ',
    who: '',
    body: '夏のお休み',
  })
  for (const code of ['later', '', 'constructor', '__proto__'])
    expect(textOf(code).title).toBe('お知らせがあります')
})

test('only the given text is quoted', () => {
  expect(textOf('comment', 0, 'きれい').body).toBe('きれい')
  expect(textOf('comment').body).toBe('')
})

test('a notice of a conversation has the sender, the number of messages from two on, and the text if it is wanted', () => {
  expect(messageText('花子', 1, 'こんにちは')).toEqual({ title: '花子', body: 'こんにちは' })
  expect(messageText('花子', 1200, 'もしもし').title).toBe('花子（1,200件）')
  expect(messageText('花子', 1, null).body).toBe('メッセージが届きました')
  // A message of images alone.
  expect(messageText('花子', 1, '').body).toBe('メッセージが届きました')
})
