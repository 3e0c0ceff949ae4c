// Eviction for picked files: the oldest pictures first, and only if it helps.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { evictFor } from './quota.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

/** Three pictures of 10 bytes and two responses of 100 characters; higher numbers are newer. */
beforeEach(() =>
  transact(['pictures', 'answers'], 'readwrite', async (tx) => {
    for (const age of [3, 1, 2])
      await tx.objectStore('pictures').put({
        ownerId: AOI,
        ref: `picture ${age}`,
        width: 0,
        type: 'image/webp',
        bytes: new ArrayBuffer(10),
        size: 10,
        at: NOW + age,
      })
    for (const age of [2, 1])
      await tx.objectStore('answers').put({
        ownerId: AOI,
        key: `response ${age}`,
        text: '"'.padEnd(100),
        size: 100,
        at: NOW + age,
        until: null,
        pictures: [],
      })
  }),
)
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

const left = () =>
  transact(['pictures', 'answers'], 'readonly', async (tx) => [
    ...(await tx.objectStore('pictures').getAllKeys()).map(([, ref]) => ref),
    ...(await tx.objectStore('answers').getAllKeys()).map(([, key]) => key),
  ])

test.each([
  [1, ['picture 2', 'picture 3', 'response 1', 'response 2']],
  [10, ['picture 2', 'picture 3', 'response 1', 'response 2']],
  [11, ['picture 3', 'response 1', 'response 2']],
  [30, ['response 1', 'response 2']],
  [31, ['response 2']],
  [130, ['response 2']],
  [131, []],
  [230, []],
])(
  'for %i bytes the oldest copies are evicted, pictures before responses, and no more than needed',
  async (bytes, expected) => {
    expect(await evictFor(bytes)).toBe(true)
    expect(await left()).toEqual(expected)
  },
)

test('no copy is evicted when all together would not be enough', async () => {
  expect(await evictFor(231)).toBe(false)
  expect(await left()).toHaveLength(5)
})
