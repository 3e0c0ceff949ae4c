// Evicts cached responses and pictures when the person's files or texts need the room.
import { transact, type Tx } from '#device/database/database.ts'

/**
 * Evicts copies of at least `bytes`: pictures first, then responses, of each the oldest first. Where all copies together
 * are smaller, none is evicted: the file would not fit even then.
 * @returns whether copies were evicted. The browser may count their room as free only later
 */
export function evictFor(bytes: number): Promise<boolean> {
  return transact(
    ['pictures', 'answers'],
    'readwrite',
    async (tx) => {
      const pictures = await oldest(tx, 'pictures', bytes)
      const responses = await oldest(tx, 'answers', bytes - pictures.bytes)
      if (pictures.bytes + responses.bytes < bytes) return false
      for (const id of pictures.ids) await tx.objectStore('pictures').delete(id)
      for (const id of responses.ids) await tx.objectStore('answers').delete(id)
      return true
    },
    'copy',
  )
}

interface Evicted {
  readonly ids: [string, string][]
  /** A lower bound: the size of a response is counted in characters. */
  readonly bytes: number
}

async function oldest(tx: Tx, name: 'pictures' | 'answers', wanted: number): Promise<Evicted> {
  const ids: [string, string][] = []
  let bytes = 0
  const ages = tx.objectStore(name).index('age')
  for (let cursor = await ages.openKeyCursor(); cursor && bytes < wanted; cursor = await cursor.continue()) {
    ids.push(cursor.primaryKey)
    bytes += cursor.key[2]
  }
  return { ids, bytes }
}
