// File names in a data export are one path segment on every system.
import { expect, test } from 'vitest'
import { messageFolder, postFolder, safeName } from './export-names.ts'

test.each([
  ['海.jpg', '海.jpg'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\windows\\a.exe', 'C__windows_a.exe'],
  ['a\u0000b\u202ec.jpg', 'a_b_c.jpg'],
  ['a*?"<>|:.jpg', 'a_______.jpg'],
  [' .hidden. ', 'hidden'],
  ['か\u3099.png', 'が.png'],
  ['', 'file'],
  ['..', 'file'],
  [' . ', 'file'],
])('%j is %j', (given, name) => expect(safeName(given, 'file')).toBe(name))

test('a long name is cut to 80 characters, with a short extension', () => {
  const long = 'あ'.repeat(100)
  expect(safeName('あ'.repeat(80), 'file')).toBe('あ'.repeat(80))
  expect(safeName(`${'あ'.repeat(76)}.jpg`, 'file')).toBe(`${'あ'.repeat(76)}.jpg`)
  expect(safeName(`${long}.jpg`, 'file')).toBe(`${'あ'.repeat(76)}.jpg`)
  expect(safeName(`${long}.${'x'.repeat(9)}`, 'file')).toBe(`${'あ'.repeat(70)}.${'x'.repeat(9)}`)
  expect(safeName(`${long}.${'x'.repeat(10)}`, 'file')).toBe('あ'.repeat(80))
  expect(safeName(long, 'file')).toBe('あ'.repeat(80))
})

test('at most 2,000 units of a name are read', () => {
  expect(safeName(`${'.'.repeat(2000)}a`, 'file')).toBe('file')
})

test('a post’s folder has its day in Tokyo and its id', () => {
  const id = '018f0000-0000-7000-8000-00000000000a'
  expect(postFolder(new Date('2026-03-05T14:59:59Z'), id)).toBe(`media/2026-03-05_${id}`)
  expect(postFolder(new Date('2026-03-05T15:00:00Z'), id)).toBe(`media/2026-03-06_${id}`)
})

test('a message’s folder is beside those of posts', () => {
  const id = '018f0000-0000-7000-8000-00000000000b'
  expect(messageFolder(new Date('2026-03-05T15:00:00Z'), id)).toBe(`media/messages/2026-03-06_${id}`)
})
