// The recipients of comment events, and which events join one notification.
import { describe, expect, test } from 'vitest'
import {
  commentEvents,
  type NotificationEvent,
  noticeNotification,
  notificationOf,
  releaseNotification,
} from './notification-events.ts'

const notifiedBy = (by: string, postAuthorId: string, answeredAuthors: readonly string[]) =>
  commentEvents({
    by,
    postAuthorId,
    answeredAuthors,
    postId: 'p',
    commentId: 'c',
    parentId: answeredAuthors.length === 0 ? null : 'above',
  }).map((it) => `${it.is} ${it.to}`)

describe('a comment notifies', () => {
  test.each([
    ['the author of the post', 'fan', 'author', [], ['comment author']],
    ['not its own author', 'author', 'author', [], []],
    [
      'the author it answers, and the author of the post',
      'fan',
      'author',
      ['b'],
      ['reply_comment b', 'comment author'],
    ],
    ['an answered author of the post once', 'fan', 'author', ['author'], ['reply_comment author']],
    [
      'both authors it answers',
      'fan',
      'author',
      ['b', 'c'],
      ['reply_comment b', 'reply_comment c', 'comment author'],
    ],
    [
      'once an author answered on both levels',
      'fan',
      'author',
      ['b', 'b'],
      ['reply_comment b', 'comment author'],
    ],
    [
      'not its own author among those answered',
      'fan',
      'author',
      ['fan', 'b'],
      ['reply_comment b', 'comment author'],
    ],
    ['the person whom the author of the post answers', 'author', 'author', ['b'], ['reply_comment b']],
  ] as const)('%s', (_, by, author, answered, expected) => {
    expect(notifiedBy(by, author, answered)).toEqual(expected)
  })
})

test('likes, follows and purchases are grouped; comments are not', () => {
  const key = (it: Parameters<typeof notificationOf>[0]) => notificationOf(it).groupKey
  const on = { to: 't', postId: 'p', parentId: null }
  expect(key({ is: 'like_post', by: 'a', to: 't', postId: 'p' })).toBe(
    key({ is: 'like_post', by: 'b', to: 't', postId: 'p' }),
  )
  expect(key({ is: 'follow', by: 'a', to: 't' })).toBe(key({ is: 'follow', by: 'b', to: 't' }))
  expect(key({ is: 'plan', by: 'a', to: 't', planId: 'x' })).toBe(
    key({ is: 'plan', by: 'b', to: 't', planId: 'x' }),
  )
  expect(key({ is: 'comment', by: 'a', commentId: '1', ...on })).not.toBe(
    key({ is: 'comment', by: 'a', commentId: '2', ...on }),
  )
})

test('each event has the fields of section 3, with what it is about', () => {
  const [by, to, postId, commentId] = ['fan', 'author', 'p1', 'c1']
  const on = { by, to, postId, commentId }
  const events: NotificationEvent[] = [
    { is: 'like_post', by, to, postId },
    { is: 'buy_post', by, to, postId },
    { is: 'like_comment', ...on, parentId: 'c0' },
    { is: 'comment', ...on, parentId: null },
    { is: 'reply_comment', ...on, parentId: 'c0' },
    { is: 'mention', by, to, postId, commentId: null, parentId: null },
    { is: 'mention', ...on, parentId: 'c0' },
    { is: 'follow', by, to },
    { is: 'plan', by, to, planId: 'plan1' },
    { is: 'identity', to, checkId: 'check1' },
    { is: 'measure', to, decisionId: 'decision1' },
    { is: 'report', to, reportId: 'report1' },
    { is: 'hold', to, holdId: 'hold1' },
    { is: 'hold_ended', to, holdId: 'hold1' },
  ]
  const rows = [
    ...events.map(notificationOf),
    releaseNotification('post', { id: 'p1', authorId: 'author' }),
    releaseNotification('plan_post', { id: 'p1', authorId: 'author' }),
    noticeNotification('n1'),
  ]
  const fields = [
    'settingCd',
    'groupKey',
    'idolId',
    'targetId',
    'targetSub1Id',
    'targetSub2Id',
    'toUserId',
  ] as const
  expect(rows.map((row) => fields.map((field) => row[field] ?? '-').join(' '))).toEqual([
    'like_post like_post:p1 fan p1 - - -',
    'buy_post buy_post:p1 fan p1 - - -',
    'like_comment like_comment:c1 fan p1 c1 c0 -',
    'comment comment:c1 fan p1 c1 - -',
    'reply_comment reply_comment:c1 fan p1 c1 c0 -',
    'mention mention:p1 fan p1 - - -',
    'mention mention:c1 fan p1 c1 c0 -',
    'follow follow fan - - - author',
    'plan plan:plan1 fan plan1 - - -',
    'identity identity:check1 - check1 - - -',
    'measure measure:decision1 - decision1 - - -',
    'report report - report1 - - -',
    'hold hold:hold1 - hold1 - - -',
    'hold_ended hold_ended:hold1 - hold1 - - -',
    'post post:p1 author p1 - - -',
    'plan_post post:p1 author p1 - - -',
    'notice notice:n1 - n1 - - -',
  ])
})

test('a comment event has the post, the comment and the comment it replies to', () => {
  const comment = { by: 'fan', postId: 'p', postAuthorId: 'author', commentId: 'c', parentId: 'above' }
  expect(commentEvents({ ...comment, answeredAuthors: ['b'] })).toEqual([
    { is: 'reply_comment', to: 'b', by: 'fan', postId: 'p', commentId: 'c', parentId: 'above' },
    { is: 'comment', to: 'author', by: 'fan', postId: 'p', commentId: 'c', parentId: 'above' },
  ])
})
