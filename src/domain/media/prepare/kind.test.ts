// A picked file gets the extension of its kind (specification section 5).
import { expect, test } from 'vitest'
import { nameWithTrueExtension } from './kind.ts'

test.each([
  ['photo.jpeg', 'jpg', 'photo.jpeg'],
  ['photo.JPG', 'jpg', 'photo.JPG'],
  ['clip.png', 'mp4', 'clip.mp4'],
  ['a.b.mp4', 'mov', 'a.b.mov'],
  ['写真', 'jpg', '写真.jpg'],
  ['.png', 'jpg', 'file.jpg'],
])('%s with the format %s is renamed to %s', (name, format, renamed) => {
  expect(nameWithTrueExtension(name, format)).toBe(renamed)
})
