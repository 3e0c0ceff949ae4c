// Methods are measured in turns, and each is compared with the baseline of its round.
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { measureRounds, type Method, type Plan } from './rounds.ts'

const read = { loop: 200, processor: 190, load: 0 }
const measure = (plan: Plan) => measureRounds(plan, { readMachine: () => read, print: () => undefined })

/** A method with these rates in its rounds, which notes each measurement. */
function method(name: string, rates: number[], order: string[]): Method {
  return {
    name,
    async measure() {
      order.push(name)
      return { 'MB/s': rates.shift() ?? 0 }
    },
  }
}

test('every second round is in reverse order', async () => {
  const order: string[] = []
  const methods = ['a', 'b', 'c'].map((it) => method(it, [], order))
  await measure({ setting: '1 MiB', rounds: 3, methods })
  expect(order.join('')).toBe('abccbaabc')
})

test('the ratio of a round is that to the baseline of the same round', async () => {
  const methods = [method('raw', [100, 50, 200], []), method('queue', [80, 50, 100], [])]
  const { compared, methods: results } = await measure({
    setting: '1 MiB',
    rounds: 3,
    compared: 'MB/s',
    methods,
  })
  expect(compared).toEqual({ figure: 'MB/s', baseline: 'raw' })
  expect(results).toEqual([
    { name: 'raw', ratio: [1, 1, 1], figures: { 'MB/s': [100, 50, 200] } },
    { name: 'queue', ratio: [0.8, 1, 0.5], figures: { 'MB/s': [80, 50, 100] } },
  ])
})

test('what is measured once has one value, from before the rounds', async () => {
  const order: string[] = []
  const once = async () => {
    order.push('once')
    return { peak: 7 }
  }
  const { methods } = await measure({
    setting: '1 MiB',
    rounds: 2,
    methods: [{ ...method('raw', [1, 2], order), measureOnce: once }],
  })
  expect(order).toEqual(['once', 'raw', 'raw'])
  expect(methods[0]?.figures).toEqual({ 'MB/s': [1, 2], peak: [7] })
})

test('the machine is read before the first round and after the last', async () => {
  const order: string[] = []
  const methods = [method('raw', [1, 2], order)]
  const readMachine = () => ({ ...read, load: order.length })
  const plan = { setting: '1 MiB', rounds: 2, methods }
  const { machine } = await measureRounds(plan, { readMachine, print: () => undefined })
  expect(machine).toEqual({ cores: availableParallelism(), before: read, after: { ...read, load: 2 } })
})
