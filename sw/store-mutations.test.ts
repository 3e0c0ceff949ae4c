// Tests that mutations of a closing page are stored in order for their author.
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
const likes = [like('a'), like('b'), like('c')]

/** A device on which storing takes a while, the first mutation the longest. */
function slowDevice(session: () => Promise<{ token: string; user: typeof user } | undefined>) {
  const stored: [string, NewMutation][] = []
  let left = likes.length
  const store = async (userId: string, mutation: NewMutation) => {
    for (let n = left--; n > 0; n--) await Promise.resolve()
    stored.push([userId, mutation])
  }
  return { ports: { session, store }, stored }
}

test('the mutations of the signed-in person are stored in their order', async () => {
  const { ports, stored } = slowDevice(async () => ({ token: 't', user }))
  await storeMutations(ports, user.id, likes)
  expect(stored).toEqual(likes.map((it) => [user.id, it]))
})

test.each([
  ['another person', async () => ({ token: 't', user: { ...user, id: newId() } })],
  ['no person', async () => undefined],
])('with %s signed in no mutation is stored', async (_, session) => {
  const { ports, stored } = slowDevice(session)
  await storeMutations(ports, user.id, likes)
  expect(stored).toEqual([])
})
