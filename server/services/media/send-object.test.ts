// The header by which the proxy sends a stored object.
import { expect, test } from 'vitest'
import { internalAddress } from './send-object.ts'

test.each([
  ['media/0190/w480.webp', '/stored/media/0190/w480.webp'],
  ['media/0190/hls/1.m4s', '/stored/media/0190/hls/1.m4s'],
  ['exports/0190.zip', '/stored/exports/0190.zip'],
] as const)('the address of %s is below the prefix', (key, address) => {
  expect(internalAddress('/stored', key)).toBe(address)
})

test.each([
  [
    'a line break, which would begin another header',
    'media/a\r\nset-cookie: a=b',
    'a%0D%0Aset-cookie%3A%20a%3Db',
  ],
  ['a question mark, which would begin a query', 'media/a?b', 'a%3Fb'],
  ['a percent sign, which the proxy decodes', 'media/a%2e%2e', 'a%252e%252e'],
  ['letters outside ASCII', 'media/写真', '%E5%86%99%E7%9C%9F'],
] as const)('%s is encoded', (_, key, encoded) => {
  expect(internalAddress('/stored', key)).toBe(`/stored/media/${encoded}`)
})

test.each(['media/../secret.key', 'media/./a', 'media//a', 'media/'] as const)('%s is refused', (key) => {
  expect(() => internalAddress('/stored', key)).toThrow(TypeError)
})
