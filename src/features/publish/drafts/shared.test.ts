// An interrupted share continues with the files that the draft does not have.
import { expect, test } from 'vitest'
import { stillToTake } from './shared.ts'

const files = (...names: string[]) => names.map((name) => ({ name }))

test('a draft without files takes all of them, in their order', () => {
  expect(stillToTake(files('b.jpg', 'a.mp4'), [])).toEqual(files('b.jpg', 'a.mp4'))
})

test('what is there is not taken twice, a photo that got another ending on the way neither', () => {
  expect(stillToTake(files('a.heic', 'b.jpg', 'c.jpg'), files('a.jpg', 'c.jpg'))).toEqual(files('b.jpg'))
})

test('of two files of one name each is taken once', () => {
  expect(stillToTake(files('image.jpg', 'image.jpg'), files('image.jpg'))).toEqual(files('image.jpg'))
})
