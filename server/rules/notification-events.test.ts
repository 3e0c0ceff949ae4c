// Who is told of a comment, and which acts gather in one line.
import { describe, expect, test } from 'vitest'
import { notificationOf, commentEvents } from './notification-events.ts'

const told = (by: string, postAuthorId: string, answeredAuthors: readonly string[]) =>
  commentEvents({
    by,
    postAuthorId,
    answeredAuthors,
    postId: 'p',
    commentId: 'c',
    parentId: answeredAuthors.length === 0 ? null : 'above',
  }).map((it) => `${it.is} ${it.to}`)

describe('a comment is told', () => {
  test.each([
    ['to the author of the post', 'fan', 'author', [], ['comment author']],
    ['not to whoever wrote it', 'author', 'author', [], []],
    ['to whom it answers, and to the author', 'fan', 'author', ['b'], ['reply_comment b', 'comment author']],
    ['once to an author who is answered', 'fan', 'author', ['author'], ['reply_comment author']],
    [
      'to both it answers',
      'fan',
      'author',
      ['b', 'c'],
      ['reply_comment b', 'reply_comment c', 'comment author'],
    ],
    [
      'once to somebody answered on both levels',
      'fan',
      'author',
      ['b', 'b'],
      ['reply_comment b', 'comment author'],
    ],
    [
      'not to oneself among those answered',
      'fan',
      'author',
      ['fan', 'b'],
      ['reply_comment b', 'comment author'],
    ],
    ['to whom the author answers', 'author', 'author', ['b'], ['reply_comment b']],
  ] as const)('%s', (_, by, author, answered, expected) => {
    expect(told(by, author, answered)).toEqual(expected)
  })
})

test('likes, follows, purchases and messages gather; comments each stand alone', () => {
  const key = (it: Parameters<typeof notificationOf>[0]) => notificationOf(it).groupKey
  const on = { to: 't', postId: 'p', parentId: null }
  expect(key({ is: 'like_post', by: 'a', to: 't', postId: 'p' })).toBe(
    key({ is: 'like_post', by: 'b', to: 't', postId: 'p' }),
  )
  expect(key({ is: 'follow', by: 'a', to: 't' })).toBe(key({ is: 'follow', by: 'b', to: 't' }))
  expect(key({ is: 'plan', by: 'a', to: 't', planId: 'x' })).toBe(
    key({ is: 'plan', by: 'b', to: 't', planId: 'x' }),
  )
  expect(key({ is: 'message', by: 'a', to: 't' })).not.toBe(key({ is: 'message', by: 'b', to: 't' }))
  expect(key({ is: 'comment', by: 'a', commentId: '1', ...on })).not.toBe(
    key({ is: 'comment', by: 'a', commentId: '2', ...on }),
  )
})
