// Messages that Redis did not accept: repeated, or announced as missed.
import { expect, test } from 'vitest'
import { nextTask } from '#contract/testing/next-task.ts'
import { MAX_LOST, Publisher } from './publisher.ts'

/** A Redis that accepts messages or not, by topic. */
function world() {
  const refused = new Set<string>()
  const accepted: string[] = []
  const states: boolean[] = []
  let retry: (() => void) | undefined
  const publisher = new Publisher(
    {
      async publish(topic, message) {
        if (refused.has(topic) || refused.has('*')) throw new Error('Connection is closed.')
        accepted.push(`${topic} ${message.toString()}`)
      },
      changed: (isAccepting) => void states.push(isAccepting),
      gap: Buffer.from('gap'),
      everyTopic: 'every',
    },
    (_ms, run) => {
      retry = run
      return () => (retry = undefined)
    },
  )
  return {
    refused,
    accepted,
    states,
    publish: (topic: string, message: string, whenLost: 'announce' | 'repeat' | 'nothing') =>
      publisher.publish(topic, Buffer.from(message), whenLost),
    nextTask,
    async retry() {
      const run = retry
      retry = undefined
      run?.()
      await nextTask()
      return run !== undefined
    },
  }
}

test('accepted messages are published once, in their order', async () => {
  const it = world()
  it.publish('a', '1', 'announce')
  it.publish('a', '2', 'announce')
  await it.nextTask()
  expect([it.accepted, it.states, await it.retry()]).toEqual([['a 1', 'a 2'], [], false])
})

test('lost messages of a topic become one gap, once Redis accepts messages again', async () => {
  const it = world()
  it.refused.add('a')
  for (const text of ['1', '2']) it.publish('a', text, 'announce')
  it.publish('b', '3', 'announce')
  await it.nextTask()
  expect([await it.retry(), it.accepted]).toEqual([true, ['b 3']])
  it.refused.clear()
  await it.retry()
  expect([it.accepted, it.states]).toEqual([
    ['b 3', 'a gap'],
    [false, true],
  ])
  expect(await it.retry()).toBe(false)
})

test('endings are repeated in their order, and messages without a rule are not', async () => {
  const it = world()
  it.refused.add('*')
  it.publish('every', 'first', 'repeat')
  it.publish('locks', 'free', 'nothing')
  it.publish('every', 'second', 'repeat')
  await it.nextTask()
  await it.retry()
  it.refused.clear()
  await it.retry()
  expect(it.accepted).toEqual(['every first', 'every second'])
})

test('beyond a number of lost messages, every topic has a gap', async () => {
  const it = world()
  it.refused.add('*')
  for (let i = 0; i <= MAX_LOST; i++) it.publish(`topic ${i}`, 'x', 'announce')
  await it.nextTask()
  it.refused.clear()
  await it.retry()
  expect(it.accepted).toEqual(['every gap'])
})
