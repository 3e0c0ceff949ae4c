// The blurred picture of a post that its viewer may not open.
import { expect, test } from 'vitest'
import { blurredUrlOf } from './views.ts'

type Shown = Parameters<typeof blurredUrlOf>[0][number]

const media = (role: Shown['role'], blurred = true) =>
  ({ role, alt: '', media: { id: role, made: { blurred } } }) as unknown as Shown
const address = (id: string, file: string) => `${id}/${file}`

test('the blurred picture is the chosen thumbnail, or else the first image', () => {
  expect(blurredUrlOf([media('image'), media('thumbnail')], address)).toBe('thumbnail/blurred')
  expect(blurredUrlOf([media('video'), media('thumbnail')], address)).toBe('thumbnail/blurred')
  expect(blurredUrlOf([media('image')], address)).toBe('image/blurred')
  expect(blurredUrlOf([media('image'), media('thumbnail'), media('blurred')], address)).toBe(
    'blurred/blurred',
  )
  // A media without a blurred copy is skipped.
  expect(blurredUrlOf([media('image'), media('thumbnail', false)], address)).toBe('image/blurred')
})
