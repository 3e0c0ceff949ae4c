// Tests the schema of the messages from pages to the worker.
import { expect, test } from 'vitest'
import * as v from 'valibot'
import { newId } from '#contract/ids.ts'
import { toWorker, type ToWorker } from './messages.ts'

test('the message acts is valid with any number of mutations, and with the longest name of a person in about', () => {
  const about = '👨‍👩‍👧‍👦'.repeat(50)
  const like = () => ({
    id: newId(),
    act: { name: 'likePost' as const, params: { post_id: newId() } },
    about,
  })
  const message: ToWorker = { type: 'acts', userId: newId(), acts: Array.from({ length: 101 }, like) }
  expect(v.parse(toWorker, message)).toEqual(message)
})
