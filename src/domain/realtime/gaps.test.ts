// After a gap every listener is called once, when all channels are joined again.
import { expect, test } from 'vitest'
import { createGaps } from './gaps.ts'

/** Gaps of a connection with these channels, which was closed. */
function closedWith(...channels: string[]) {
  const world = { calls: 0 }
  const gaps = createGaps(() => (world.calls += 1))
  gaps.connected()
  gaps.begin(channels)
  return { world, gaps }
}

test('the first connection is no gap', () => {
  const world = { recovered: 0 }
  createGaps(() => (world.recovered += 1)).connected()
  expect(world.recovered).toBe(0)
})

test('listeners are called once, when the last channel has answered', () => {
  const { world, gaps } = closedWith('person', 'post')
  gaps.connected()
  gaps.answered('person')
  expect(world.calls).toBe(0)
  gaps.answered('post')
  gaps.answered('post')
  expect(world.calls).toBe(1)
})

test('a channel that is left before its reply is not waited for', () => {
  const { world, gaps } = closedWith('person', 'post')
  gaps.connected()
  gaps.answered('person')
  gaps.left('post')
  expect(world.calls).toBe(1)
})

test('leaving a channel ends no gap while the connection is closed', () => {
  const { world, gaps } = closedWith('post')
  gaps.left('post')
  expect(world.calls).toBe(0)
  gaps.connected()
  expect(world.calls).toBe(1)
})
