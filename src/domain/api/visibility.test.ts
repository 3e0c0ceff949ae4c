// Requests that were sent before a block or mute changed the visible people.
import { expect, test } from 'vitest'
import { requestVisible, visibilityChanged } from './visibility.ts'

test('a reply to a request from before a block is requested again', async () => {
  const replies: string[] = ['with them', 'without them']
  const requested = requestVisible(async () => {
    const answer = replies.shift()
    await Promise.resolve()
    return answer
  })
  visibilityChanged()
  expect(await requested).toBe('without them')
  expect(replies).toEqual([])
})

test('a failure from before a block is requested again, one from after it is final', async () => {
  let requests = 0
  const requested = requestVisible(async () => {
    requests++
    await Promise.resolve()
    throw new Error(`refused ${requests}`)
  })
  visibilityChanged()
  await expect(requested).rejects.toThrow('refused 2')
})

test('a reply is used as it is when no block changed', async () => {
  let requests = 0
  expect(await requestVisible(() => Promise.resolve(++requests))).toBe(1)
})
