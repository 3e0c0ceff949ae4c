// The sentences of notifications.
import { expect, test } from 'vitest'
import { notificationText } from './notification-text.ts'
import { settingCodes } from './setting-codes.ts'

const said = (code: string, others = 0, excerpt?: string) =>
  notificationText({ setting_cd: code }, { name: '花', others, excerpt })

test('the actor is named first, with the number of others', () => {
  expect(said('like_post').title).toBe('花さんがあなたの投稿に「いいね」しました')
  expect(said('like_post', 3).title).toBe('花さんとほか3人があなたの投稿に「いいね」しました')
  expect(said('follow', 1234).title).toBe('花さんとほか1,234人にフォローされました')
  expect(said('follow', 1).who).toBe('花さんとほか1人')
})

test('every kind has its own sentence, which begins with the actor', () => {
  const titles = settingCodes.map((code) => said(code).title)
  expect(new Set(titles).size).toBe(settingCodes.length)
  expect(titles.filter((it) => !it.startsWith('花さん'))).toEqual([])
})

test('notifications of the service name no person; an unknown code has a neutral sentence', () => {
  expect(said('identity')).toEqual({ title: '本人確認の結果が出ました', who: '', body: '' })
  expect(said('notice', 0, '夏のお休み')).toEqual({
    title: 'とどけからのお知らせ',
    who: '',
    body: '夏のお休み',
  })
  for (const code of ['later', '', 'constructor', '__proto__'])
    expect(said(code).title).toBe('お知らせがあります')
})

test('only the given text is quoted', () => {
  expect(said('comment', 0, 'きれい').body).toBe('きれい')
  expect(said('comment').body).toBe('')
})
