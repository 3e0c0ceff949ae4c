// When the sandbox is tested again, and what an inconclusive test means.
import { expect, test } from 'vitest'
import { openFindingMaker, refusingMediaMaker } from '#server/adapters/media/maker.ts'
import { finderOf, inconclusive, type SandboxState } from '#server/testing/media/sandboxes.ts'
import { LATE_TESTS, SandboxUnknown } from './finder.ts'

test('a sandbox that works is not tested again', async () => {
  const finder = finderOf(['bubblewrap', 'none'])
  expect([finder.found().state, await finder.find()]).toEqual(['unknown', 'bubblewrap'])
  finder.later()
  expect([await finder.find(), finder.tests()]).toEqual(['bubblewrap', 1])
})

test('while none works it is tested again, at most once in a time, and each change is told once', async () => {
  const finder = finderOf(['none', 'none', 'bubblewrap'])
  const changes: SandboxState[] = []
  finder.onChange(({ state }) => changes.push(state))
  expect(await Promise.all([finder.find(), finder.find()])).toEqual(['none', 'none'])
  expect([await finder.find(), finder.tests(), finder.found().reason]).toEqual([
    'none',
    1,
    'spawn bwrap ENOENT',
  ])
  finder.later()
  expect([await finder.find(), finder.tests()]).toEqual(['none', 2])
  finder.later()
  expect([await finder.find(), finder.tests(), finder.found().reason]).toEqual(['bubblewrap', 3, ''])
  expect(changes).toEqual(['none', 'bubblewrap'])
})

test.each(inconclusive)('a test that %s says nothing, however often', async (_, error) => {
  const finder = finderOf([...Array.from({ length: LATE_TESTS + 1 }, () => error), 'bubblewrap'])
  for (let tests = 0; tests <= LATE_TESTS; tests++) {
    expect(await finder.find()).toBe('unknown')
    finder.later()
  }
  expect(await finder.find()).toBe('bubblewrap')
})

test('where the risk is accepted, late tests in a row count as none until one succeeds', async () => {
  const finder = finderOf(['unknown', 'none', 'unknown', 'unknown', 'unknown', 'bubblewrap'], true)
  const states: SandboxState[] = []
  for (let tests = 0; tests < 6; tests++) {
    states.push(await finder.find())
    finder.later()
  }
  expect(states).toEqual(['unknown', 'none', 'unknown', 'unknown', 'none', 'bubblewrap'])
})

test('each file is decoded as the finder says at that moment, and not at all while it does not know', async () => {
  const finder = finderOf(['unknown', 'none', 'bubblewrap'])
  const maker = openFindingMaker(finder, {
    confined: { ...refusingMediaMaker, make: async () => ({ is: 'refused', failure: 'unreadable' }) },
    otherwise: refusingMediaMaker,
  })
  const task = { kind: 'image', mime: 'image/png', input: '', output: '', thumbnail: undefined } as const
  await expect(maker.make(task)).rejects.toBeInstanceOf(SandboxUnknown)
  finder.later()
  expect(await maker.make(task)).toEqual({ is: 'refused', failure: 'no_sandbox' })
  finder.later()
  expect(await maker.make(task)).toEqual({ is: 'refused', failure: 'unreadable' })
})
