// Moves objects from the earlier place to the present one, and compares their digests.
import { digestOfFile } from '#server/adapters/files/digest.ts'
import {
  NoObject,
  type ObjectKey,
  type ObjectStore,
  type Prefix,
  prefixOf,
} from '#server/adapters/files/object-store.ts'
import type { MovePlace } from './place.ts'

/**
 * `moved`: it was copied, and has the same digest. `same`: both places had it, with the same digest. `newer`: the present place has other bytes,
 * which were written after those of the earlier one. `gone`: it was removed meanwhile. `changed`: it changed in the earlier place at each try, since
 * a server still writes there. `broken`: the present place returns other bytes than were stored.
 */
export type Moved = 'moved' | 'same' | 'newer' | 'gone' | 'changed' | 'broken'

export interface MoveEnds {
  readonly present: ObjectStore
  readonly earlier: ObjectStore
  readonly presentPlace: MovePlace
  readonly earlierPlace: MovePlace
}

export interface ObjectMove {
  /** What is in the earlier place. */
  keys(): AsyncGenerator<ObjectKey, void>
  /** Copies an object, which stays in the earlier place too. */
  move(key: ObjectKey): Promise<Moved>
  /** Removes an object that was moved from the earlier place. */
  removeEarlier(key: ObjectKey): Promise<void>
}

/** Tries with an object that changes. */
const TRIES = 3

export function createObjectMove(
  endsOf: (prefix: Prefix) => MoveEnds,
  prefixes: readonly Prefix[],
): ObjectMove {
  return {
    async *keys() {
      for (const prefix of prefixes)
        for await (const page of endsOf(prefix).earlierPlace.keys(prefix)) yield* page
    },
    async move(key) {
      for (let tries = 0; tries < TRIES; tries++) {
        const moved = await tryMove(endsOf(prefixOf(key)), key).catch((error: unknown): 'again' => {
          if (error instanceof NoObject) return 'again'
          throw error
        })
        if (moved !== 'again') return moved
      }
      return 'changed'
    },
    removeEarlier: (key) => endsOf(prefixOf(key)).earlierPlace.removeMoved(key),
  }
}

/** @returns `again` when the object changed meanwhile in one of the places */
async function tryMove(ends: MoveEnds, key: ObjectKey): Promise<Moved | 'again'> {
  const { present, earlier, presentPlace } = ends
  const before = await earlier.factsOf(key)
  if (!before) return 'gone'
  if ((await present.sizeOf(key)) !== undefined)
    return (await present.digestOf(key)) === (await earlier.digestOf(key)) ? 'same' : 'newer'
  const { mark, digest } = await earlier.withLocal(key, async (file) => ({
    digest: await digestOfFile(file),
    mark: await presentPlace.putOnce(key, file),
  }))
  if (mark === undefined) return 'again'
  const stored = await present.digestOf(key)
  const isUnchanged = (await earlier.factsOf(key))?.etag === before.etag
  if (isUnchanged && stored === digest) return 'moved'
  // It was removed or replaced meanwhile, by a server that knows both places or by one that does not: what was put here is taken back, unless
  // a newer object took its place.
  if (await presentPlace.isMarked(key, mark)) await present.remove(key, 'at_once')
  return isUnchanged ? 'broken' : 'again'
}
