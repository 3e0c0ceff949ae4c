// The development server lists the fixtures of /dev/media and sends each file.
import path from 'node:path'
import { expect, test } from 'vitest'
import { MEDIA_FIXTURES_PATH } from '#contract/paths.ts'
import { serveMediaFixtures } from './media-fixtures.ts'

type Reply = { body: string | Buffer } | 'passed on'
type Handler = (
  request: { url: string },
  response: { setHeader: () => void; end: (body: string | Buffer) => void },
  next: () => void,
) => void

/** Sends a request to the plugin, whose path begins at that of the fixtures. */
function get(url: string): Promise<Reply> {
  const { configureServer } = serveMediaFixtures()
  if (typeof configureServer !== 'function') throw new Error('no server')
  return new Promise((resolve) => {
    const use = (at: string, handle: Handler) => {
      expect(at).toBe(MEDIA_FIXTURES_PATH)
      const response = { setHeader: () => undefined, end: (body: string | Buffer) => resolve({ body }) }
      handle({ url }, response, () => resolve('passed on'))
    }
    const root = path.join(import.meta.dirname, '../..')
    void configureServer.call({} as never, { config: { root }, middlewares: { use } } as never)
  })
}

test('the list has what the page shows of each fixture', async () => {
  const reply = await get('/')
  const list = JSON.parse(reply === 'passed on' ? '[]' : String(reply.body))
  expect(list).toContainEqual(
    expect.objectContaining({ file: 'moving.png', row: 'frames of GIF, WebP and PNG' }),
  )
})

test('a file is made from its name', async () => {
  const reply = await get('/one-frame.png')
  expect(reply).toEqual({ body: expect.any(Buffer) })
  expect(reply !== 'passed on' && reply.body.slice(1, 4).toString()).toBe('PNG')
})

test.each(['/nothing.png', '/..%2f..%2fpackage.json'])('%s is not found', async (url) => {
  expect(await get(url)).toBe('passed on')
})

test('a build has no such files', () => {
  expect(serveMediaFixtures().apply).toBe('serve')
})
