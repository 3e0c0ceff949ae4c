// Notices as plain text: what recipients of the email read.
import { expect, test } from 'vitest'
import type { NoticeBlock } from '#contract/notices/content.ts'
import { plainTextOf } from './plain-text.ts'

const url = 'https://todoke.example/terms'

test.each<[what: string, block: NoticeBlock, text: string]>([
  [
    'a heading begins with a square',
    { is: 'heading', level: 2, pieces: [{ text: '期間' }, { text: 'と対象', bold: true }] },
    '■ 期間と対象',
  ],
  [
    'a link is followed by its address',
    { is: 'paragraph', pieces: [{ text: '詳しくは' }, { text: '規約', href: url }, { text: 'へ。' }] },
    `詳しくは規約（${url}）へ。`,
  ],
  [
    'an address that is its own link is there once',
    { is: 'paragraph', pieces: [{ text: '規約：' }, { text: url, href: url }] },
    `規約：${url}`,
  ],
  [
    'items of a list begin with a dot',
    { is: 'list', ordered: false, items: [[{ text: '一' }], [{ text: '二' }, { text: '規約', href: url }]] },
    `・ 一\n・ 二規約（${url}）`,
  ],
  [
    'items of an ordered list are numbered from 1',
    { is: 'list', ordered: true, items: [[{ text: '申請' }], [{ text: '確認' }], [{ text: '振込' }]] },
    '1. 申請\n2. 確認\n3. 振込',
  ],
])('%s', (_, block, text) => {
  expect(plainTextOf([block])).toBe(text)
})

test('an empty line separates blocks', () => {
  const paragraph = (text: string): NoticeBlock => ({ is: 'paragraph', pieces: [{ text }] })
  expect(plainTextOf([paragraph('一行目\n二行目'), paragraph('次の段落')])).toBe('一行目\n二行目\n\n次の段落')
  expect(plainTextOf([])).toBe('')
})
