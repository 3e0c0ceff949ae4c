// Switches pressed faster than the network answers.
import { expect, test } from 'vitest'
import { settle } from './settle.ts'

/** A server that answers when told to. */
function server() {
  const sent: boolean[] = []
  const waiting: ((answer: 'yes' | 'no') => void)[] = []
  return {
    sent,
    send: (wanted: boolean) =>
      new Promise<boolean>((done, refuse) => {
        sent.push(wanted)
        waiting.push((answer) => (answer === 'yes' ? done(wanted) : refuse(new Error('no'))))
      }),
    async answer(it: 'yes' | 'no') {
      waiting.shift()?.(it)
      await new Promise((done) => setTimeout(done))
    },
  }
}

test('one press is one request', async () => {
  const { send, sent, answer } = server()
  const end = settle('a', true, send)
  await answer('yes')
  expect(await end).toEqual({ is: 'settled', said: true })
  expect(sent).toEqual([true])
})

test('pressed again while it is sent, the last press holds', async () => {
  const { send, sent, answer } = server()
  const end = settle('a', true, send)
  expect(await settle('a', false, send)).toEqual({ is: 'taken-along' })
  await answer('yes')
  await answer('yes')
  expect(await end).toEqual({ is: 'settled', said: false })
  expect(sent).toEqual([true, false])
})

test('back where it is being sent to, nothing more is sent', async () => {
  const { send, sent, answer } = server()
  const end = settle('a', true, send)
  await settle('a', false, send)
  await settle('a', true, send)
  await answer('yes')
  expect(await end).toMatchObject({ is: 'settled' })
  expect(sent).toEqual([true])
})

test('refused, it says what the server holds', async () => {
  const { send, answer } = server()
  const first = settle('a', true, send)
  await answer('no')
  expect(await first).toMatchObject({ is: 'refused', stands: false })
  const second = settle('a', true, send)
  await settle('a', false, send)
  await answer('yes')
  await answer('no')
  expect(await second).toMatchObject({ is: 'refused', stands: true })
})

test('switches do not wait for each other', async () => {
  const { send, sent, answer } = server()
  const both = [settle('a', true, send), settle('b', true, send)]
  expect(sent).toEqual([true, true])
  await answer('yes')
  await answer('yes')
  await Promise.all(both)
})
