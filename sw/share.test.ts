// The share sheet's form becomes a draft in the editor, or the reason is shown.
import { expect, test } from 'vitest'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { receiveShare } from './share.ts'

interface Kept {
  text: string
  files: string[]
}

/** Sends a form as the share sheet does; returns the stored share and the page it opens. */
async function share(
  fields: readonly (readonly [string, string | File])[],
  refuse?: Error,
): Promise<{ kept: Kept[]; to: string; status: number }> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const kept: Kept[] = []
  const answer = await receiveShare(
    { url: 'https://todoke.example/share-target', formData: async () => form },
    async ({ text, files }) => {
      if (refuse) throw refuse
      kept.push({ text, files: files.map((it) => it.name) })
      return 'the-id'
    },
  )
  return { kept, to: answer.headers.get('location') ?? '', status: answer.status }
}
const photo = (name: string, bytes = 'x') => new File([bytes], name, { type: 'image/jpeg' })
const opened = 'https://todoke.example/post/upload2?draft=the-id'

test('text, address and files are kept, and the editor opens with them', async () => {
  const { kept, to, status } = await share([
    ['title', '朝の海'],
    ['text', 'きれいでした\r\nまた行きます'],
    ['url', 'https://example.com/sea'],
    ['media', photo('a.jpg')],
    ['media', photo('b.jpg')],
  ])
  expect([status, to]).toEqual([303, opened])
  expect(kept).toEqual([
    { text: '朝の海\nきれいでした\nまた行きます\nhttps://example.com/sea', files: ['a.jpg', 'b.jpg'] },
  ])
})

test.each([
  [
    'the title again in the text',
    [
      ['title', '朝の海'],
      ['text', '朝の海 https://example.com/sea'],
    ],
    '朝の海 https://example.com/sea',
  ],
  [
    'the same thing three times',
    [
      ['title', 'あ'],
      ['text', 'あ'],
      ['url', 'あ'],
    ],
    'あ',
  ],
  [
    'an address that stands in the text',
    [
      ['text', '見て https://example.com'],
      ['url', 'https://example.com'],
    ],
    '見て https://example.com',
  ],
] as const)('%s is written once', async (_, fields, text) => {
  expect((await share(fields)).kept).toEqual([{ text, files: [] }])
})

test('a file without bytes is none, and a share without anything says so', async () => {
  const { kept, to } = await share([
    ['text', '  '],
    ['media', photo('a.jpg', '')],
  ])
  expect([kept, to]).toEqual([[], 'https://todoke.example/post/upload2?share=empty'])
})

test('files beyond the largest post are not kept', async () => {
  const large = photo('a.jpg')
  Object.defineProperty(large, 'size', { value: MAX_TOTAL_BYTES + 1 })
  const { kept, to } = await share([['media', large]])
  expect([kept, to]).toEqual([[], 'https://todoke.example/post/upload2?share=large'])
})

test.each([
  ['full', new DOMException('no room', 'QuotaExceededError')],
  ['failed', new Error('anything else')],
])('a device that cannot keep it says %s', async (code, error) => {
  const { to } = await share([['text', 'あ']], error)
  expect(to).toBe(`https://todoke.example/post/upload2?share=${code}`)
})

test('of more pictures than a post may have one too many is taken, so that the editor says it', async () => {
  const fields = Array.from({ length: 30 }, (_, n) => ['media', photo(`${n}.jpg`)] as const)
  expect((await share(fields)).kept[0]?.files).toHaveLength(21)
})
