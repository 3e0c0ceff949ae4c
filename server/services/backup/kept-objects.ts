// Objects that are removed only once no backup needs them.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import type { ObjectKey, ObjectStore, Prefix, When } from '#server/adapters/files/object-store.ts'
import { removalDue } from '#server/rules/backup/removals.ts'
import type { Db } from '#server/store/database.ts'
import {
  addRemoval,
  dropRemoval,
  findOwnerOfExport,
  findUploadOfObject,
  isNeededAgain,
  listDueRemovals,
  waitingAmong,
} from '#server/store/media/removals.ts'

interface KeptPorts {
  readonly db: Db
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** How long backups are retained, days; 0: there are none. */
  readonly backupDays: number
}

/** The parts of a key: `media/{id}` has the prefix `media`. A name that no server writes has no id. */
function partsOf(key: ObjectKey): { prefix: Prefix; id: string | undefined } {
  const slash = key.indexOf('/')
  const name = key.slice(slash + 1)
  const prefix = key.slice(0, slash) as Prefix
  const id = prefix === 'exports' ? name.replace(/\.zip$/, '') : name
  return { prefix, id: v.is(idSchema, id) ? id : undefined }
}

/**
 * The same objects. Removing one that a backup may list only records when it is removed, and lists do not name it from then
 * on. `sweepRemovals` removes it. While there are no backups, nothing differs.
 */
export function keepForBackups(objects: ObjectStore, ports: KeptPorts): ObjectStore {
  const { db, backupDays } = ports
  if (backupDays === 0) return objects
  const later = async (key: ObjectKey, when: When | undefined, now: () => Promise<void>) => {
    const due = when === 'at_once' ? undefined : await dueOf(ports, key)
    const given = typeof when === 'object' ? when : undefined
    if (due) return addRemoval(db, { key, ...due, ...given })
    await now()
    await dropRemoval(db, key)
  }
  return {
    ...objects,
    remove: (key, when) => later(key, when, () => objects.remove(key, 'at_once')),
    removeFolder: (key, when) => later(key, when, () => objects.removeFolder(key, 'at_once')),
    async *list(prefix) {
      for await (const page of objects.list(prefix)) {
        const keys = page.map(({ name }) => `${prefix}/${name}`)
        const waiting = await waitingAmong(db, keys)
        yield page.filter(({ name }) => !waiting.has(`${prefix}/${name}`))
      }
    },
  }
}

/** When the object is removed, and whose it is; undefined: at once. */
async function dueOf({ db, clock, backupDays }: KeptPorts, key: ObjectKey) {
  const { prefix, id } = partsOf(key)
  if (id === undefined) return undefined
  const isOfUpload = prefix === 'uploads' || prefix === 'media'
  const upload = isOfUpload ? await findUploadOfObject(db, id) : undefined
  const due = removalDue({ prefix, ...(upload && { upload }) }, backupDays, clock())
  if (due === undefined) return undefined
  const ownerId = upload?.ownerId ?? (prefix === 'exports' ? await findOwnerOfExport(db, id) : undefined)
  return { dueAt: new Date(due), ownerId: ownerId ?? null }
}

interface SweepPorts {
  readonly db: Db
  readonly clock: () => number
  readonly storage: { readonly objects: Pick<ObjectStore, 'remove' | 'removeFolder'> }
}

/** The hourly sweep: removes objects whose time has come. A killed run goes on with the next one. */
export async function sweepRemovals({ db, clock, storage: { objects } }: SweepPorts): Promise<void> {
  const next = (after: string) => listDueRemovals(db, clock(), after)
  for (let keys = await next(''); keys.length > 0; keys = await next(keys.at(-1) ?? '')) {
    for (const key of keys as ObjectKey[]) {
      const { prefix, id } = partsOf(key)
      if (id !== undefined && !(await isNeededAgain(db, prefix, id))) await removeAll(objects, key)
      await dropRemoval(db, key)
    }
  }
}

/** Removes what a waiting key names: of a media, all objects below it. */
export const removeAll = (
  objects: Pick<ObjectStore, 'remove' | 'removeFolder'>,
  key: ObjectKey,
): Promise<void> =>
  key.startsWith('media/') ? objects.removeFolder(key, 'at_once') : objects.remove(key, 'at_once')
