// The worker accepts the messages of pages, for any id of a person.
import { expect, test } from 'vitest'
import * as v from 'valibot'
import { newId } from '#contract/ids.ts'
import { toWorker, type ToWorker } from './messages.ts'

test('acts of a page that goes are heard however many they are, and however long the name of whom they are about', () => {
  const about = '👨‍👩‍👧‍👦'.repeat(50)
  const like = () => ({
    id: newId(),
    act: { name: 'likePost' as const, params: { post_id: newId() } },
    about,
  })
  const said: ToWorker = { type: 'acts', userId: newId(), acts: Array.from({ length: 101 }, like) }
  expect(v.parse(toWorker, said)).toEqual(said)
})
