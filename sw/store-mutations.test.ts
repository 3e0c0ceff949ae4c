// Mutations that a closing page hands to the worker are stored: in order, once, and only for their person.
import { expect, test } from 'vitest'
import type { NewMutation } from '#device/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import { storeMutations } from './store-mutations.ts'

const user = { id: newId(), email: 'a@b.example', name: '私', avatar_url: null, role: 'member' as const }
const like = (post: string): NewMutation => ({
  id: newId(),
  mutation: { name: 'likePost', params: { post_id: post } },
  about: '花子',
})
const acts = [like('a'), like('b'), like('c')]

/** A device on which storing takes a while, the first mutation the longest. */
function slow(session: () => Promise<{ token: string; user: typeof user } | undefined>) {
  const stored: [string, NewMutation][] = []
  let left = acts.length
  const store = async (userId: string, mutation: NewMutation) => {
    for (let n = left--; n > 0; n--) await Promise.resolve()
    stored.push([userId, mutation])
  }
  return { ports: { session, store }, stored }
}

test('the mutations of whoever is signed in are stored in their order', async () => {
  const { ports, stored } = slow(async () => ({ token: 't', user }))
  await storeMutations(ports, user.id, acts)
  expect(stored).toEqual(acts.map((it) => [user.id, it]))
})

test.each([
  ['somebody else', async () => ({ token: 't', user: { ...user, id: newId() } })],
  ['nobody', async () => undefined],
])('with %s signed in nothing is stored', async (_, session) => {
  const { ports, stored } = slow(session)
  await storeMutations(ports, user.id, acts)
  expect(stored).toEqual([])
})
