// What of Markdown becomes part of a notice, and what stays text.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { MAX_NOTICE_BODY, noticeContent } from '#contract/notices/content.ts'
import { plainTextOf } from '#server/rules/notices/plain-text.ts'
import { parseNotice } from './markdown.ts'

test('paragraphs, headings, bold, lists and links become a tree without nesting', () => {
  const text = [
    '# 大見出し',
    '### 小見出し',
    'ふつうの**太字**と[案内](https://todoke.example/help)。\n次の行。',
    '- 一つ目\n- **二つ目**\n  - 中の項目\n\n1. 順番\n2. 次',
  ].join('\n\n')
  expect(parseNotice(text)).toEqual([
    { is: 'heading', level: 2, pieces: [{ text: '大見出し' }] },
    { is: 'heading', level: 3, pieces: [{ text: '小見出し' }] },
    {
      is: 'paragraph',
      pieces: [
        { text: 'ふつうの' },
        { text: '太字', bold: true },
        { text: 'と' },
        { text: '案内', href: 'https://todoke.example/help' },
        { text: '。\n次の行。' },
      ],
    },
    {
      is: 'list',
      ordered: false,
      items: [[{ text: '一つ目' }], [{ text: '二つ目', bold: true }], [{ text: '中の項目' }]],
    },
    { is: 'list', ordered: true, items: [[{ text: '順番' }], [{ text: '次' }]] },
  ])
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[押す](javascript:alert(1))',
  '[押す](http://todoke.example)',
  '[押す](data:text/html,x)',
  '[押す](//todoke.example)',
  '[押す](/settings)',
  '`code`',
  '> 引用',
  '| a | b |',
  '~~消す~~',
  '※*注意*',
  '2 ** 3 と 4 ** 5',
])('%s stays text', (text) => {
  const content = parseNotice(text)
  expect(content).toEqual([{ is: 'paragraph', pieces: [{ text }] }])
})

test.each([
  ['12月分は、**12月28日（月）**に行います。', '12月28日（月）'],
  ['**「とどけ」**とは', '「とどけ」'],
  ['8月は**手数料0%**。', '手数料0%'],
])('%s has bold text beside brackets and letters', (text, bold) => {
  const [block] = parseNotice(text)
  expect(block?.is === 'paragraph' && block.pieces.filter((it) => it.bold)).toEqual([
    { text: bold, bold: true },
  ])
})

test('a picture becomes at most a link to it', () => {
  expect(plainTextOf(parseNotice('![海](https://todoke.example/a.png)'))).toBe(
    '!海（https://todoke.example/a.png）',
  )
})

test('a text without anything that can be read has no content', () => {
  for (const text of ['', ' \n\n ', '#', '- ', '**  **'])
    expect(plainTextOf(parseNotice(text)).replaceAll(/[*#\s-]/g, '')).toBe('')
  expect(parseNotice(' \n ')).toEqual([])
})

test('the plain text has the addresses of links, and marks of lists and headings', () => {
  const text =
    '## 期間\n\n- 8月\n- [案内](https://todoke.example)\n\n[https://a.example/](https://a.example/)'
  expect(plainTextOf(parseNotice(text))).toBe(
    '■ 期間\n\n・ 8月\n・ 案内（https://todoke.example）\n\nhttps://a.example/',
  )
})

// Each takes minutes or never ends in a parser that tries again from every mark.
test.each([
  '[',
  '*',
  '**a ',
  '[a](',
  '- ',
  '# ',
  '\\',
  '*a **b ',
  '[[a]](https://a.example) ',
  '> ',
  ' ',
  '\n',
  '1. ',
  '![',
  '<',
])('%j, repeated to the longest body, is parsed within the time of a test', (part) => {
  const text = part.repeat(Math.floor(MAX_NOTICE_BODY / part.length))
  expect(v.is(noticeContent, parseNotice(text))).toBe(true)
})
