// The texts of system notifications fit on a lock screen.
import { expect, test } from 'vitest'
import { noticeText } from './notices.ts'

test('a long first line is cut between grapheme clusters', () => {
  const family = '👨‍👩‍👧'
  const { body } = noticeText({ is: 'published', jobId: 'j', postId: 'p', title: family.repeat(50) })
  expect(body).toBe(`「${family.repeat(40)}…」を公開しました。`)
})

test('a post without words is called a post', () => {
  const { body } = noticeText({ is: 'failed', jobId: 'j', title: '' })
  expect(body).toBe('投稿は端末に保存してあります。開いて、もう一度送信できます。')
})
