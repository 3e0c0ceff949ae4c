// Objects while they are moved: in the present place, or still in the earlier one.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import {
  type ListedName,
  NoObject,
  type ObjectKey,
  type ObjectPart,
  type ObjectStore,
  type Prefix,
  type StoredObject,
} from '#server/adapters/files/object-store.ts'

interface Places {
  /** Where objects are written, and which wins where both have a key. */
  readonly present: ObjectStore
  /** Where objects were written before; nothing is written there any more. */
  readonly earlier: ObjectStore
}

/**
 * One store of two places. An object only ever goes from the earlier place to the present one, so that a reader finds it by looking into
 * the present one, the earlier one, and the present one again. What is written or removed is gone from the earlier place afterwards.
 */
export function createMovingObjects(places: Places): ObjectStore {
  const { present, earlier } = places
  const inTurn = [present, earlier, present] as const
  const storeOf = async (key: ObjectKey): Promise<ObjectStore> => {
    for (const it of inTurn) if ((await it.sizeOf(key)) !== undefined) return it
    throw new NoObject(key)
  }
  return {
    // The file of the present place may not be there yet.
    pathOf: () => undefined,
    signedRead: async () => undefined,
    async factsOf(key) {
      for (const it of inTurn) {
        const facts = await it.factsOf(key)
        if (facts) return facts
      }
      return undefined
    },
    async sizeOf(key) {
      return (await this.factsOf(key))?.size
    },
    read: (key, part) => read(inTurn, key, part),
    withLocal: async (key, work) => (await storeOf(key)).withLocal(key, work),
    withBytes: async (key, work) => (await storeOf(key)).withBytes(key, work),
    digestOf: async (key) => (await storeOf(key)).digestOf(key),
    ...writesTo(places),
    below: (key) => below(places, key),
    list: (prefix) => list(places, prefix),
    async probe() {
      await Promise.all([present.probe(), earlier.probe()])
    },
  }
}

type Writes = Pick<ObjectStore, 'put' | 'putFolder' | 'addFolder' | 'remove' | 'removeFolder'>

/** A removal begins with the earlier place: the move asks there last, and takes back what it has just moved. */
const writesTo = ({ present, earlier }: Places): Writes => ({
  async put(key, file) {
    await present.put(key, file)
    await earlier.remove(key, 'at_once')
  },
  async putFolder(key, folder) {
    await present.putFolder(key, folder)
    await earlier.removeFolder(key, 'at_once')
  },
  async addFolder(key, folder, last) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    await present.addFolder(key, folder, last)
    for (const it of entries.filter((one) => one.isFile()))
      await earlier.remove(`${key}/${nameBelow(folder, path.join(it.parentPath, it.name))}`)
  },
  async remove(key, when) {
    await earlier.remove(key, when)
    await present.remove(key, when)
  },
  async removeFolder(key, when) {
    await earlier.removeFolder(key, when)
    await present.removeFolder(key, when)
  },
})

const nameBelow = (folder: string, file: string): string =>
  path.relative(folder, file).replaceAll(path.sep, '/')

/** The next place is tried only before the first byte: afterwards a missing object is one that was removed. */
async function* read(
  stores: readonly ObjectStore[],
  key: ObjectKey,
  part: ObjectPart | undefined,
): AsyncGenerator<Buffer, void> {
  for (const [index, store] of stores.entries()) {
    const bytes = store.read(key, part)
    let first: IteratorResult<Buffer, void>
    try {
      first = await bytes.next()
    } catch (error) {
      if (error instanceof NoObject && index < stores.length - 1) continue
      throw error
    }
    if (first.done !== true) yield first.value
    yield* bytes
    return
  }
}

/** The present place wins where both have a key. */
async function* below({ present, earlier }: Places, key: ObjectKey): AsyncGenerator<StoredObject, void> {
  const found = new Map<ObjectKey, StoredObject>()
  for (const store of [earlier, present]) for await (const it of store.below(key)) found.set(it.key, it)
  yield* found.values()
}

/** The earlier place first, so that no name is missed that is moved meanwhile. */
async function* list(
  { present, earlier }: Places,
  prefix: Prefix,
): AsyncGenerator<readonly ListedName[], void> {
  const seen = new Set<string>()
  for await (const page of earlier.list(prefix)) {
    for (const { name } of page) seen.add(name)
    yield page
  }
  for await (const page of present.list(prefix)) {
    const others = page.filter(({ name }) => !seen.has(name))
    if (others.length > 0) yield others
  }
}
