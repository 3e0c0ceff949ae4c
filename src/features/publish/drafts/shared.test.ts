// An interrupted share continues with the files that the draft does not have.
import { expect, test } from 'vitest'
import { filesToAdd } from './shared.ts'

const files = (...names: string[]) => names.map((name) => ({ name }))

test('all files are added to a draft without files, in their order', () => {
  expect(filesToAdd(files('b.jpg', 'a.mp4'), [])).toEqual(files('b.jpg', 'a.mp4'))
})

test('a file of the draft is not added again, nor a photo whose extension was changed', () => {
  expect(filesToAdd(files('a.heic', 'b.jpg', 'c.jpg'), files('a.jpg', 'c.jpg'))).toEqual(files('b.jpg'))
})

test('two files of one name are each added once', () => {
  expect(filesToAdd(files('image.jpg', 'image.jpg'), files('image.jpg'))).toEqual(files('image.jpg'))
})
