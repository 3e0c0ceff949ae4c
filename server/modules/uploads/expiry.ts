// Removes uploads without a new byte for a week, and files without a row.
import type { Deps } from '#server/deps.ts'
import { expireUploads, findUploads, removeExpiredUploads } from '#server/store/media/uploads.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** Time from the last byte of an unheld upload to its expiry, ms. */
export const UNHELD_LIFE = 7 * DAY
/** The same for identity documents, ms: unsubmitted ones are not encrypted, and their device still has them. */
export const IDENTITY_LIFE = DAY
/** How long an expired upload is reported as `gone` and not as `not_found`, ms. */
const TOMBSTONE_LIFE = 90 * DAY
/** Age above which a file without a row is removed, ms. A newer one may belong to a post that is being added. */
const ORPHAN_AGE = DAY

/** Removes uploads whose time is over, and files without a row. Held uploads remain. */
export async function removeOldUploads(deps: Deps): Promise<void> {
  const { db, clock, storage } = deps
  const now = clock()
  for (const [kind, life] of [
    ['all', UNHELD_LIFE],
    ['identity', IDENTITY_LIFE],
  ] as const) {
    for (let expired = await expireUploads(db, now - life, now, kind); expired.length > 0;) {
      for (const id of expired) await storage.objects.remove(`uploads/${id}`)
      expired = await expireUploads(db, now - life, now, kind)
    }
  }
  await removeExpiredUploads(db, now - TOMBSTONE_LIFE)
  await removeOrphans(deps, now)
}

async function removeOrphans({ db, storage: { objects } }: Deps, now: number): Promise<void> {
  for await (const page of objects.list('uploads')) {
    const named = page.filter(({ name }) => /^[0-9a-f-]{36}$/.test(name))
    const known = await findUploads(
      db,
      named.map(({ name }) => name),
    )
    for (const { name, modifiedAt } of named) {
      if (known.get(name)?.expiredAt === null) continue
      const at = await modifiedAt()
      if (at !== undefined && now - at > ORPHAN_AGE) await objects.remove(`uploads/${name}`)
    }
  }
}
