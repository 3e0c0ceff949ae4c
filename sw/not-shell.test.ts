// Tests which addresses the worker answers with the app's shell.
import { expect, test } from 'vitest'
import { notShell } from './not-shell.ts'

const isShell = (path: string) => !notShell.some((it) => it.test(path))

test.each([
  '/api',
  '/api/account/export/018f0000-0000-7000-8000-00000000000a',
  '/robots.txt',
  '/sitemap.xml',
  '/upload-chunking-2/018f0000-0000-7000-8000-00000000000a',
  '/ws/app/key',
  '/dev/mail',
  '/heic-sandbox.html',
])('%s is the server’s: the worker leaves its pages to the network', (path) =>
  expect(isShell(path)).toBe(false),
)

test.each(['/', '/apiary', '/post/018f0000-0000-7000-8000-00000000000a', '/settings'])(
  '%s is the app’s: the worker answers with the shell',
  (path) => expect(isShell(path)).toBe(true),
)
