// Evicts cached responses and pictures when the person's files or texts need the room.
import { transact, type Tx } from '#device/database/database.ts'

/**
 * Evicts copies of at least `bytes`: the pictures first, then the responses, of each the oldest first. Where
 * all of them together are fewer, nothing is removed: a file that does not fit even then would gain nothing.
 * @returns whether they were removed. The browser may count that room as free only later
 */
export function evictFor(bytes: number): Promise<boolean> {
  return transact(
    ['pictures', 'answers'],
    'readwrite',
    async (tx) => {
      const pictures = await oldest(tx, 'pictures', bytes)
      const answers = await oldest(tx, 'answers', bytes - pictures.bytes)
      if (pictures.bytes + answers.bytes < bytes) return false
      for (const id of pictures.ids) await tx.objectStore('pictures').delete(id)
      for (const id of answers.ids) await tx.objectStore('answers').delete(id)
      return true
    },
    'copy',
  )
}

interface Going {
  readonly ids: [string, string][]
  /** At least: an answer's size is counted in characters. */
  readonly bytes: number
}

async function oldest(tx: Tx, name: 'pictures' | 'answers', wanted: number): Promise<Going> {
  const ids: [string, string][] = []
  let bytes = 0
  const ages = tx.objectStore(name).index('age')
  for (let cursor = await ages.openKeyCursor(); cursor && bytes < wanted; cursor = await cursor.continue()) {
    ids.push(cursor.primaryKey)
    bytes += cursor.key[2]
  }
  return { ids, bytes }
}
