// What fails for good is said on the console (specification section 8).
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { newFacts } from '#device/jobs/facts.ts'
import type { Delivery, Job } from '#device/database/schema.ts'
import { makeRunner } from './drain.ts'
import { apply } from './machine.ts'
import type { Outcome, Ports } from './ports.ts'
import { stillClock, storeWith } from '#sw/testing/transcript.ts'

const [first, second] = [newId(), newId()]

/** @param sent whether its files are on the server already */
function post(sent: boolean): Job {
  const form = {
    content: 'a',
    type: 1 as const,
    planIds: [],
    price: '',
    isAgeLimited: false,
    kind: 'images' as const,
    duration: null,
    thumbnailId: null,
    frameId: null,
  }
  const files = [first, second].map((id) => ({ id, size: 10, kind: 'image' as const }))
  let facts = newFacts(files, 'tus')
  if (sent)
    for (const { id, size } of files) facts = apply(facts, { type: 'accepted', mediaId: id, offset: size })
  return { id: 'posted', ownerId: 'aoi', kind: 'post', protocol: 'tus', form, facts, createdAt: 1 }
}

/** Runs a post whose calls end as given, and gives what the console was told. */
async function logged(sent: boolean, api: Partial<Ports['api']>): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let row: Delivery = post(sent)
  const never = (): Promise<Outcome<never>> => Promise.reject(new Error('nobody expected this call'))
  const runner = makeRunner({
    store: storeWith({
      session: async () => ({
        token: 't',
        user: { id: 'aoi', email: '', name: '', avatar_url: null, role: 'member' },
      }),
      deliveries: async () => [row],
      changeFacts: async (_id, change) => (row = { ...row, facts: change(row.facts) }),
    }),
    api: {
      send: never,
      discard: never,
      addPost: never,
      release: never,
      withdraw: never,
      submitCheck: never,
      act: never,
      ...api,
    },
    clock: stillClock,
    lock: (work) => work(),
  })
  await runner.drain()
  return log.mock.calls
}

afterEach(() => vi.restoreAllMocks())

test('a post that is refused is logged as an upload error, once, with its code', async () => {
  const calls = await logged(true, { addPost: async () => ({ is: 'refused', code: 'forbidden' }) })
  expect(calls).toEqual([['Upload error!', 'posted', 'forbidden']])
})

test('a file that is refused is logged, and when all are, the post too', async () => {
  const calls = await logged(false, { send: async () => ({ is: 'refused', code: 'too_large' }) })
  expect(calls[0]).toEqual(['Upload error!', 'posted', 'too_large'])
  expect(calls.at(-1)).toEqual(['Upload error!', 'posted', 'too_large', 'too_large', 'too_large'])
  expect(calls).toHaveLength(2)
})
