// Subscriptions on nodes that reply late, move topics and vanish.
import { expect, test } from 'vitest'
import { nextTask } from '#contract/testing/next-task.ts'
import { CONFIRM_TIMEOUT, Subscriptions, UNSUBSCRIBE_DELAY } from './subscriptions.ts'

/** Timers that run when the test says so. */
function manualTimers() {
  const timers = new Set<{ at: number; run: () => void }>()
  let now = 0
  return {
    timers,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async pass(ms: number) {
      now += ms
      const due = Array.from(timers).filter((it) => it.at <= now)
      for (const it of due) {
        timers.delete(it)
        it.run()
      }
      await nextTask()
    },
  }
}

/** Nodes that reply when the test says so, and a clock that it moves. */
function world() {
  const ready = new Set(['one', 'two'])
  const places = new Map<string, string>()
  const sent: string[] = []
  const replies: { topic: string; reply: PromiseWithResolvers<void> }[] = []
  const log: string[] = []
  const states: boolean[] = []
  const { timers, after, pass } = manualTimers()
  const subscriptions = new Subscriptions(
    {
      nodeOf: (topic) => places.get(topic) ?? 'one',
      isReady: (node) => ready.has(node),
      subscribe(node, topic) {
        sent.push(`+${topic} ${node}`)
        const reply = Promise.withResolvers<void>()
        replies.push({ topic, reply })
        return reply.promise
      },
      unsubscribe: (node, topic) => void sent.push(`-${topic} ${node}`),
    },
    { after, changed: (areAccepted) => void states.push(areAccepted) },
  )
  return {
    subscriptions,
    places,
    ready,
    sent,
    log,
    states,
    open: (topic: string) =>
      subscriptions.open(topic, {
        received: (message) => void log.push(`${topic}: ${message.toString()}`),
        missed: () => void log.push(`${topic} missed`),
      }),
    /** Replies to the oldest request of a topic. */
    async reply(topic: string, error?: Error) {
      const at = replies.findIndex((it) => it.topic === topic)
      const [request] = replies.splice(at, 1)
      if (error) request?.reply.reject(error)
      else request?.reply.resolve()
      await nextTask()
    },
    pass,
    timers,
  }
}

/** Whether a promise is resolved by now. */
async function isDone(promise: Promise<void> | undefined): Promise<boolean> {
  let done = promise === undefined
  void promise?.then(() => (done = true))
  await nextTask()
  return done
}

test('a topic is ready when its node has confirmed it, and nothing was missed then', async () => {
  const it = world()
  it.open('a')
  const ready = it.subscriptions.ready('a')
  expect(await isDone(ready)).toBe(false)
  await it.reply('a')
  expect(await isDone(ready)).toBe(true)
  expect([it.subscriptions.ready('a'), it.sent, it.log]).toEqual([undefined, ['+a one'], []])
  expect(it.timers.size).toBe(0)
})

test('a confirmation that is late is not waited for, and what was published until then is missed', async () => {
  const it = world()
  it.open('a')
  const ready = it.subscriptions.ready('a')
  await it.pass(CONFIRM_TIMEOUT)
  expect([await isDone(ready), it.log]).toEqual([true, []])
  await it.reply('a')
  expect(it.log).toEqual(['a missed'])
})

test('without a connection to its node a topic is not waited for, and is missed once it is confirmed', async () => {
  const it = world()
  it.ready.delete('one')
  it.open('a')
  expect([it.subscriptions.ready('a'), it.sent]).toEqual([undefined, []])
  it.ready.add('one')
  void it.subscriptions.nodeReady('one')
  await it.reply('a')
  expect([it.sent, it.log]).toEqual([['+a one'], ['a missed']])
})

test('a topic that is closed and opened again within the delay stays subscribed', async () => {
  const it = world()
  it.open('a')
  await it.reply('a')
  it.subscriptions.close('a')
  await it.pass(UNSUBSCRIBE_DELAY - 1)
  it.open('a')
  await it.pass(UNSUBSCRIBE_DELAY)
  it.subscriptions.received('one', 'a', Buffer.from('x'))
  expect([it.sent, it.log, it.subscriptions.size]).toEqual([['+a one'], ['a: x'], 1])
})

test('a topic that is opened during its unsubscription is requested after it, and waits for its own reply', async () => {
  const it = world()
  it.open('a')
  it.subscriptions.close('a')
  await it.pass(UNSUBSCRIBE_DELAY)
  it.open('a')
  const ready = it.subscriptions.ready('a')
  expect(it.sent).toEqual(['+a one', '-a one', '+a one'])
  // The first reply belongs to the subscription that ended.
  await it.reply('a')
  expect(await isDone(ready)).toBe(false)
  await it.reply('a')
  expect([await isDone(ready), it.log]).toEqual([true, []])
})

test('a message after the unsubscription reaches no subscriber', async () => {
  const it = world()
  it.open('a')
  await it.reply('a')
  it.subscriptions.close('a')
  await it.pass(UNSUBSCRIBE_DELAY)
  it.subscriptions.received('one', 'a', Buffer.from('x'))
  expect([it.log, it.subscriptions.size]).toEqual([[], 0])
})

test('after a lost connection exactly the topics of its node are requested again and missed', async () => {
  const it = world()
  it.places.set('b', 'two')
  for (const topic of ['a', 'b']) {
    it.open(topic)
    await it.reply(topic)
  }
  it.ready.delete('one')
  it.subscriptions.nodeLost('one')
  it.ready.add('one')
  for (const node of ['one', 'two']) void it.subscriptions.nodeReady(node)
  expect(it.log).toEqual([])
  await it.reply('a')
  expect([it.sent, it.log]).toEqual([['+a one', '+b two', '+a one'], ['a missed']])
})

test('a connection that is lost during a request ends the wait, and the late reply of it does not count', async () => {
  const it = world()
  it.open('a')
  const ready = it.subscriptions.ready('a')
  it.ready.delete('one')
  it.subscriptions.nodeLost('one')
  expect(await isDone(ready)).toBe(true)
  it.ready.add('one')
  void it.subscriptions.nodeReady('one')
  await it.reply('a')
  expect(it.log).toEqual([])
  await it.reply('a')
  expect(it.log).toEqual(['a missed'])
})

test('a topic that moves is unsubscribed from the earlier node, whose messages are duplicates', async () => {
  const it = world()
  it.open('a')
  await it.reply('a')
  it.places.set('a', 'two')
  void it.subscriptions.nodesChanged()
  it.subscriptions.received('one', 'a', Buffer.from('duplicate'))
  await it.reply('a')
  it.subscriptions.received('two', 'a', Buffer.from('x'))
  expect([it.sent, it.log]).toEqual([
    ['+a one', '-a one', '+a two'],
    ['a missed', 'a: x'],
  ])
})

test('a topic whose node is not connected yet is requested when it is', async () => {
  const it = world()
  it.open('a')
  await it.reply('a')
  it.places.set('a', 'three')
  await it.subscriptions.nodesChanged()
  expect(it.sent).toEqual(['+a one', '-a one'])
  it.ready.add('three')
  void it.subscriptions.nodeReady('three')
  await it.reply('a')
  expect([it.sent.at(-1), it.log]).toEqual(['+a three', ['a missed']])
})

test('a refused subscription is reported once, requested until it is accepted, and missed', async () => {
  const it = world()
  for (const topic of ['a', 'b']) it.open(topic)
  const ready = it.subscriptions.ready('a')
  for (const topic of ['a', 'b']) await it.reply(topic, new Error('NOPERM no permissions'))
  expect([await isDone(ready), it.states]).toEqual([true, [false]])
  await it.pass(2000)
  await it.reply('a', new Error('NOPERM no permissions'))
  await it.reply('b')
  await it.pass(2000)
  expect(it.states).toEqual([false])
  await it.reply('a')
  expect(it.sent).toEqual(['+a one', '+b one', '+a one', '+b one', '+a one'])
  expect([it.log, it.states]).toEqual([
    ['b missed', 'a missed'],
    [false, true],
  ])
})
