// After a gap every listener is called once, when all channels are joined again.
import { expect, test } from 'vitest'
import { createGaps } from './gaps.ts'

/** A connection that was there with these channels, and is gone. */
function gone(...channels: string[]) {
  const world = { told: 0 }
  const gaps = createGaps(() => (world.told += 1))
  gaps.connected()
  gaps.begin(channels)
  return { world, gaps }
}

test('the first connection is no gap', () => {
  const world = { told: 0 }
  createGaps(() => (world.told += 1)).connected()
  expect(world.told).toBe(0)
})

test('with the last channel that answers everybody is told, once', () => {
  const { world, gaps } = gone('person', 'post')
  gaps.connected()
  gaps.answered('person')
  expect(world.told).toBe(0)
  gaps.answered('post')
  gaps.answered('post')
  expect(world.told).toBe(1)
})

test('a channel that is left before it has answered is not waited for', () => {
  const { world, gaps } = gone('person', 'post')
  gaps.connected()
  gaps.answered('person')
  gaps.left('post')
  expect(world.told).toBe(1)
})

test('what is left while the connection is gone ends no gap before it is back', () => {
  const { world, gaps } = gone('post')
  gaps.left('post')
  expect(world.told).toBe(0)
  gaps.connected()
  expect(world.told).toBe(1)
})
