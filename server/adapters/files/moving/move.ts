// Moves objects from the earlier place to the present one, and compares their digests.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { digestOfFile } from '#server/adapters/files/digest.ts'
import {
  type ObjectKey,
  type ObjectStore,
  type Prefix,
  prefixOf,
  type UploadPrefix,
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
  /** What is in the earlier place, without uploads that are not finished. */
  keys(): AsyncGenerator<ObjectKey, void>
  /**
   * Uploads of the earlier place that are not finished, by the keys that they will have: they are not moved, since they begin again in the
   * present place, where some of their bytes would look like an object.
   */
  unfinished(): AsyncGenerator<ObjectKey, void>
  /** Removes all bytes of such an upload from the earlier place. */
  removeUnfinished(key: ObjectKey): Promise<void>
  /** Copies an object, which stays in the earlier place too. */
  move(key: ObjectKey): Promise<Moved>
  /** Removes an object that was moved from the earlier place. */
  removeEarlier(key: ObjectKey): Promise<void>
}

const isId = (name: string): boolean => v.is(idSchema, name)

/** Whether the error is that of an object (`NoObject`) or of its file, which a server removed while it was read. */
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Tries with an object that changes. */
const TRIES = 3

interface MoveOptions {
  readonly endsOf: (prefix: Prefix) => MoveEnds
  /** What is moved, in this order. */
  readonly prefixes: readonly Prefix[]
  /** Those of some uploads whose row says that they are not finished. */
  unfinishedAmong(prefix: UploadPrefix, ids: readonly string[]): Promise<ReadonlySet<string>>
}

const isOfUploads = (prefix: Prefix): prefix is UploadPrefix =>
  prefix === 'uploads' || prefix === 'identity-uploads'

export function createObjectMove({ endsOf, prefixes, unfinishedAmong }: MoveOptions): ObjectMove {
  /** Of names below a prefix, those of uploads that are not finished. */
  const unfinishedIn = async (prefix: Prefix, names: readonly string[]): Promise<ReadonlySet<string>> =>
    isOfUploads(prefix) ? unfinishedAmong(prefix, names.filter(isId)) : new Set()
  const nameOf = (key: ObjectKey) => key.slice(key.indexOf('/') + 1)
  return {
    async *keys() {
      for (const prefix of prefixes)
        for await (const page of endsOf(prefix).earlierPlace.keys(prefix)) {
          const unfinished = await unfinishedIn(prefix, page.map(nameOf))
          yield* page.filter((key) => !unfinished.has(nameOf(key)))
        }
    },
    async *unfinished() {
      for (const prefix of prefixes.filter(isOfUploads))
        for await (const page of endsOf(prefix).earlier.list(prefix)) {
          const names = page.map(({ name }) => name)
          for (const id of await unfinishedIn(prefix, names)) yield `${prefix}/${id}`
        }
    },
    removeUnfinished: (key) => endsOf(prefixOf(key)).earlier.remove(key, 'at_once'),
    async move(key) {
      for (let tries = 0; tries < TRIES; tries++) {
        const moved = await tryMove(endsOf(prefixOf(key)), key).catch((error: unknown): 'again' => {
          if (isMissing(error)) return 'again'
          throw error
        })
        if (moved !== 'again') return moved
      }
      return 'changed'
    },
    removeEarlier: (key) => endsOf(prefixOf(key)).earlierPlace.removeMoved(key),
  }
}

/** Of an upload the object alone: one that begins again meanwhile has parts already. */
async function takeBack({ present, presentPlace }: MoveEnds, key: ObjectKey): Promise<void> {
  if (isOfUploads(prefixOf(key))) await presentPlace.removeMoved(key)
  else await present.remove(key, 'at_once')
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
  if (await presentPlace.isMarked(key, mark)) await takeBack(ends, key)
  return isUnchanged ? 'broken' : 'again'
}
