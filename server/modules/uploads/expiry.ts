// Removes uploads without a new byte for a week, and files without a row.
import type { Deps } from '#server/deps.ts'
import {
  keyOfUpload,
  prefixOfUpload,
  type UploadPrefix,
  uploadPrefixes,
} from '#server/store/media/upload-keys.ts'
import { expireUploads, findUploads, removeExpiredUploads } from '#server/store/media/uploads.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** Time from the last byte of an unheld upload to its expiry, ms. */
export const UNHELD_LIFE = 7 * DAY
/** The same for identity documents, ms: unsubmitted ones are not encrypted, and their device still has them. */
export const IDENTITY_LIFE = DAY
/** How long an expired upload is reported as `gone` and not as `not_found`, ms. */
const TOMBSTONE_LIFE = 90 * DAY
/**
 * Age above which a file without a row is removed, ms. A newer one may belong to a post that is being added; a document always
 * has its row first, and a newer one may be of an id that its owner just uses again.
 */
const ORPHAN_AGE: Readonly<Record<UploadPrefix, number>> = { uploads: DAY, 'identity-uploads': HOUR }

/** Removes uploads whose time is over, and files without a row. Held uploads remain. */
export async function removeOldUploads(deps: Deps): Promise<void> {
  const { db, clock, storage } = deps
  const now = clock()
  for (const [kind, life] of [
    ['all', UNHELD_LIFE],
    ['identity', IDENTITY_LIFE],
  ] as const) {
    for (let expired = await expireUploads(db, now - life, now, kind); expired.length > 0;) {
      for (const it of expired) await storage.objects.remove(keyOfUpload(it))
      expired = await expireUploads(db, now - life, now, kind)
    }
  }
  await removeExpiredUploads(db, now - TOMBSTONE_LIFE)
  for (const prefix of uploadPrefixes) await removeOrphans(deps, prefix, now)
}

/** Removes files whose id has no row, or one of an upload whose bytes are below the other prefix. */
async function removeOrphans(
  { db, storage: { objects } }: Deps,
  prefix: UploadPrefix,
  now: number,
): Promise<void> {
  for await (const page of objects.list(prefix)) {
    const named = page.filter(({ name }) => /^[0-9a-f-]{36}$/.test(name))
    const known = await findUploads(
      db,
      named.map(({ name }) => name),
    )
    for (const { name, modifiedAt } of named) {
      const row = known.get(name)
      if (row?.expiredAt === null && prefixOfUpload(row) === prefix) continue
      const at = await modifiedAt()
      if (at !== undefined && now - at > ORPHAN_AGE[prefix]) await objects.remove(`${prefix}/${name}`)
    }
  }
}
