// Reads the use of the disk and of the store.
import type { getMachine } from '#contract/administration/machine.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { withTimeLimit } from '#server/services/runtime/time-limit.ts'
import { storageUse, type StorageUse } from '#server/store/staff/machine.ts'

/** Sums this recent are returned again, ms. */
const FRESH = 60_000
/** Time limit of the disk's figures, ms. */
const DISK_TIME = 1000

/** @returns a function that reads the disk now, and the sums of at most a minute ago */
export function createStorageReader({
  db,
  storage,
}: Deps): () => Promise<ReplyOf<typeof getMachine>['storage']> {
  let known: { readonly at: number; readonly use: Promise<StorageUse> } | undefined
  const read = () => {
    const it = { at: Date.now(), use: storageUse(db) }
    known = it
    it.use.catch(() => (known = known === it ? undefined : known))
    return it
  }
  return async () => {
    const { at, use } = known && Date.now() - known.at < FRESH ? known : read()
    const disk = await withTimeLimit(storage.room.figures(), DISK_TIME).catch(() => undefined)
    return {
      free: disk?.free ?? null,
      total: disk?.total ?? null,
      floor: storage.room.floor,
      ...(await use),
      counted_at: new Date(at).toISOString(),
    }
  }
}
