// Room for what the person makes, before it is written: copies of what the server has give way.
import { transact, type Tx } from '#device/database/database.ts'

/**
 * Lets copies go until they were so many bytes: the pictures first, then the answers, of each the oldest first. Where
 * all of them together are fewer, none goes: a file that does not fit without them either is worth nothing of them.
 * @returns whether they went. How soon the browser counts that as free is its own affair
 */
export function giveWayFor(bytes: number): Promise<boolean> {
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
