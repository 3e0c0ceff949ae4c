// The size of the piece that one PATCH sends.
import { expect, test } from 'vitest'
import { MiB } from '#contract/limits.ts'
import { createPace } from './pace.ts'

test('pieces are 5 MiB while the network carries them', () => {
  const pace = createPace()
  expect(pace.piece()).toBe(5 * MiB)
  pace.went(5 * MiB, 400)
  expect(pace.piece()).toBe(5 * MiB)
})

test('after a cut pieces are small and grow again by doubling', () => {
  const pace = createPace()
  pace.broke()
  const sizes = [pace.piece()]
  for (let i = 0; i < 3; i++) {
    pace.went(pace.piece(), 50)
    sizes.push(pace.piece())
  }
  expect(sizes).toEqual([1.25 * MiB, 2.5 * MiB, 5 * MiB, 5 * MiB])
})

test('on a slow connection a piece takes about six seconds, and is never under 256 KiB', () => {
  const pace = createPace()
  pace.went(5 * MiB, 30_000)
  expect(pace.piece()).toBe(MiB)
  for (let i = 0; i < 5; i++) pace.broke()
  expect(pace.piece()).toBe(MiB / 4)
  pace.went(MiB / 4, 60_000)
  expect(pace.piece()).toBe(MiB / 4)
})
