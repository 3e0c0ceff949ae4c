// Several runners as one: the queue of files and the queue of mutations.
import { expect, test } from 'vitest'
import { combineRunners } from './combine-runners.ts'
import type { Runner } from './runner.ts'

/** Two runners whose runs end when the test ends them, and a record of every call. */
function twoRunners() {
  const calls: string[] = []
  const runs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isRunning = [false, false]
  const runners = runs.map(({ promise }, i): Runner => ({
    drain: () => {
      calls.push(`drain ${i}`)
      isRunning[i] = true
      return promise.finally(() => (isRunning[i] = false))
    },
    nudge: () => (calls.push(`nudge ${i}`), promise),
    wake: () => void calls.push(`wake ${i}`),
    halt: () => void calls.push(`halt ${i}`),
    running: () => isRunning[i] ?? false,
  }))
  return { combined: combineRunners(runners), calls, end: (i: number) => runs[i]?.resolve() }
}

test('every call goes to each runner', () => {
  const { combined, calls } = twoRunners()
  combined.wake()
  combined.halt()
  void combined.nudge()
  void combined.drain()
  expect(calls).toEqual(['wake', 'halt', 'nudge', 'drain'].flatMap((it) => [`${it} 0`, `${it} 1`]))
})

test.each(['drain', 'nudge'] as const)('%s ends with the last of them', async (call) => {
  const { combined, end } = twoRunners()
  let ended = false
  const all = combined[call]().then(() => (ended = true))
  end(1)
  await new Promise(setImmediate)
  expect(ended).toBe(false)
  end(0)
  await all
  expect(ended).toBe(true)
})

test('a run is under way as long as one of them runs', async () => {
  const { combined, end } = twoRunners()
  expect(combined.running()).toBe(false)
  const all = combined.drain()
  end(0)
  await new Promise(setImmediate)
  expect(combined.running()).toBe(true)
  end(1)
  await all
  expect(combined.running()).toBe(false)
})
