// The built app resolves addresses of uploads as tus-js-client does by itself.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const client = join(import.meta.dirname, '../../node_modules/tus-js-client')
const Library = createRequire(join(client, 'package.json'))('url-parse') as new (
  link: string,
  base: string,
) => { toString(): string }

test('tus-js-client uses its parser only to resolve a link against an address', () => {
  const code = readFileSync(join(client, 'lib.esm/upload.js'), 'utf8')
  const uses = code.split('\n').filter((line) => line.includes(' URL(') || line.includes('import URL'))
  expect(uses.map((line) => line.trim())).toEqual([
    "import URL from 'url-parse';",
    'return new URL(link, origin).toString();',
  ])
})

test.each([
  ['/upload-chunking-2/0199', 'https://todoke.example/upload-chunking-2'],
  ['0199', 'https://todoke.example/upload-chunking-2/'],
  ['https://files.example/u/1?a=b', 'https://todoke.example/upload-chunking-2'],
  ['//files.example/u/1', 'https://todoke.example/upload-chunking-2'],
  ['?id=1', 'http://localhost:8787/upload-chunking-2'],
])('%s at %s is the same address', (link, base) => {
  expect(new URL(link, base).toString()).toBe(new Library(link, base).toString())
})
