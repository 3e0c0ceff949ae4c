// A launch of the open app: the icon keeps the page, a shortcut opens another.
import { expect, test } from 'vitest'
import { launchedPath } from './launch.ts'

const here = 'https://todoke.example/post/1?uidc=2'

test.each([
  ['the icon', 'https://todoke.example/', undefined],
  ['a shortcut', 'https://todoke.example/post/upload2', '/post/upload2'],
  [
    'a link with a query',
    'https://todoke.example/profile/follow?uid=1&list=followers',
    '/profile/follow?uid=1&list=followers',
  ],
  ['the page that is open', here, undefined],
  ['another site', 'https://other.example/post/1', undefined],
  ['nothing', null, undefined],
  ['no address', 'https://', undefined],
])('%s', (_, target, path) => {
  expect(launchedPath(target, here)).toBe(path)
})
