// The limits of a message's files: 10 images, one video, 1 GB in all.
import { expect, test } from 'vitest'
import { MiB } from '#contract/limits.ts'
import { problemOf } from './pick-problem.ts'

const [image, video] = [
  { kind: 'image', size: MiB },
  { kind: 'video', size: 10 * MiB },
] as const
const images = (count: number) => Array.from({ length: count }, () => image)

test.each<[string, Parameters<typeof problemOf>[0], Parameters<typeof problemOf>[1], string | undefined]>([
  ['the tenth image', images(9), image, undefined],
  ['the eleventh image', images(10), image, 'too_many_images'],
  ['a video beside ten images', images(10), video, undefined],
  ['an image beside a video', [video], image, undefined],
  ['a second video', [video], video, 'one_video_only'],
  ['an empty file', [], { kind: 'image', size: 0 }, 'unsupported'],
  ['a text file', [], { kind: undefined, size: 5 }, 'unsupported'],
  ['exactly 1 GB in all', [video], { kind: 'image', size: 1014 * MiB }, undefined],
  ['one byte more', [video], { kind: 'image', size: 1014 * MiB + 1 }, 'too_big'],
])('%s: %s', (_name, rows, file, problem) => {
  expect(problemOf(rows, file)).toBe(problem)
})
