// Tests that a shared form becomes a draft, or the editor shows the reason.
import { expect, test } from 'vitest'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { receiveShare } from './share.ts'

interface StoredShare {
  text: string
  files: string[]
}

/** Sends a form as the share sheet does; returns the stored share and the page it opens. */
async function share(
  fields: readonly (readonly [string, string | File])[],
  error?: Error,
): Promise<{ stored: StoredShare[]; to: string; status: number }> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const stored: StoredShare[] = []
  const response = await receiveShare(
    { url: 'https://todoke.example/share-target', formData: async () => form },
    async ({ text, files }) => {
      if (error) throw error
      stored.push({ text, files: files.map((it) => it.name) })
      return 'the-id'
    },
  )
  return { stored, to: response.headers.get('location') ?? '', status: response.status }
}
const photo = (name: string, bytes = 'x') => new File([bytes], name, { type: 'image/jpeg' })
const editorUrl = 'https://todoke.example/post/upload2?draft=the-id'

test('text, address and files are stored, and the editor opens with them', async () => {
  const { stored, to, status } = await share([
    ['title', '朝の海'],
    ['text', 'きれいでした\r\nまた行きます'],
    ['url', 'https://example.com/sea'],
    ['media', photo('a.jpg')],
    ['media', photo('b.jpg')],
  ])
  expect([status, to]).toEqual([303, editorUrl])
  expect(stored).toEqual([
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
    'the same text three times',
    [
      ['title', 'あ'],
      ['text', 'あ'],
      ['url', 'あ'],
    ],
    'あ',
  ],
  [
    'an address that the text contains',
    [
      ['text', '見て https://example.com'],
      ['url', 'https://example.com'],
    ],
    '見て https://example.com',
  ],
] as const)('%s is stored once', async (_, fields, text) => {
  expect((await share(fields)).stored).toEqual([{ text, files: [] }])
})

test('a file without bytes is ignored, and an empty share opens the editor with that reason', async () => {
  const { stored, to } = await share([
    ['text', '  '],
    ['media', photo('a.jpg', '')],
  ])
  expect([stored, to]).toEqual([[], 'https://todoke.example/post/upload2?share=empty'])
})

test('files larger than the largest post are not stored', async () => {
  const large = photo('a.jpg')
  Object.defineProperty(large, 'size', { value: MAX_TOTAL_BYTES + 1 })
  const { stored, to } = await share([['media', large]])
  expect([stored, to]).toEqual([[], 'https://todoke.example/post/upload2?share=large'])
})

test.each([
  ['full', new DOMException('no room', 'QuotaExceededError')],
  ['failed', new Error('anything else')],
])('a share that cannot be stored opens the editor with the reason %s', async (code, error) => {
  const { to } = await share([['text', 'あ']], error)
  expect(to).toBe(`https://todoke.example/post/upload2?share=${code}`)
})

test('of too many pictures one more than allowed is stored, so that the editor reports it', async () => {
  const fields = Array.from({ length: 30 }, (_, n) => ['media', photo(`${n}.jpg`)] as const)
  expect((await share(fields)).stored[0]?.files).toHaveLength(21)
})
