// Makes a backup: a dump of a snapshot, and the objects that its rows need.
import type { Snapshot } from '#server/adapters/database/snapshot.ts'
import { type FileFacts, type NewBackup, settleFile } from '#server/adapters/files/backup-folder.ts'
import type { ObjectStore, StoredObject } from '#server/adapters/files/object-store.ts'
import { countRowsOfBackup, readBackupFacts } from '#server/store/backup/facts.ts'
import { readyAmong } from '#server/store/accounts/exports.ts'
import { idsWithRow } from '#server/store/media/stored-files.ts'
import { DUMP, type ListedObject, type Manifest, MANIFEST, OBJECTS } from './manifest.ts'
import { type Lost, neededObjects, type OwnedObject } from './needed-objects.ts'

interface CreatePorts {
  readonly snapshot: Snapshot
  readonly objects: ObjectStore
  readonly backup: NewBackup
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether objects of an object store are copied too; those of the data folder always are. */
  readonly copiesAll: boolean
}

export interface Created {
  readonly manifest: Manifest
  /** Objects that rows still need although they are missing. Those of rows that were deleted meanwhile are none. */
  readonly lost: readonly Lost[]
}

/** Makes the folder complete. Servers may write meanwhile. @throws ProgramFailed */
export async function createBackup(ports: CreatePorts): Promise<Created> {
  const { snapshot, backup, now } = ports
  const facts = await readBackupFacts(snapshot.db)
  const rows = await countRowsOfBackup(snapshot.db)
  await snapshot.dumpTo(backup.pathOf(DUMP))
  const dump = await settleFile(backup.pathOf(DUMP))
  const sums = { listed: 0, copied: 0, bytes: 0 }
  const missing: Lost[] = []
  const list = await backup.write(OBJECTS, linesOf(ports, sums, missing))
  await snapshot.end()
  const lost = await stillNeeded(ports, missing)
  const manifest: Manifest = {
    format: 1,
    made_at: new Date(now).toISOString(),
    database: snapshot.kind,
    postgres: snapshot.major,
    migrations: [...facts.migrations],
    keys: { ...facts.keys },
    rows,
    objects: { ...sums, missing: lost.length },
    files: { [DUMP]: dump, [OBJECTS]: list },
  }
  await backup.write(MANIFEST, [Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)])
  await backup.finish()
  return { manifest, lost }
}

/** The list of objects, which are copied on the way. */
async function* linesOf(
  { snapshot, objects, backup, copiesAll }: CreatePorts,
  sums: { listed: number; copied: number; bytes: number },
  missing: Lost[],
): AsyncGenerator<Buffer, void> {
  for await (const it of neededObjects(snapshot.db, objects)) {
    if ('lost' in it) {
      missing.push(it.lost)
      continue
    }
    const { object } = it
    const isInFolder = objects.pathOf(object.key) !== undefined
    const copied = isInFolder || copiesAll ? await copyOf(objects, backup, object) : undefined
    if (copied === 'gone') {
      missing.push(lostOf(object))
      continue
    }
    const line = lineOf(object, isInFolder, copied)
    sums.listed += 1
    sums.copied += copied ? 1 : 0
    sums.bytes += line.size
    yield Buffer.from(`${JSON.stringify(line)}\n`)
  }
}

const lineOf = (
  { key, owner, size, etag }: OwnedObject,
  isInFolder: boolean,
  copied: FileFacts | undefined,
): ListedObject => {
  const bucket = key.startsWith('identity/') ? 'identity_bucket' : 'bucket'
  return { key, store: isInFolder ? 'folder' : bucket, owner, ...(copied ?? { size, etag }) }
}

/** Copies an object; `gone` when it was removed since it was found. */
async function copyOf(
  objects: ObjectStore,
  backup: NewBackup,
  { key }: StoredObject,
): Promise<FileFacts | 'gone'> {
  try {
    return await backup.writeObject(key, objects.read(key))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone'
    throw error
  }
}

function lostOf({ key }: StoredObject): Lost {
  const [folder = '', name = ''] = key.split('/')
  return { folder: folder as Lost['folder'], id: name.replace(/\.zip$/, ''), key }
}

/** Of the missing objects those whose rows the database still has. */
async function stillNeeded({ snapshot, objects }: CreatePorts, missing: readonly Lost[]): Promise<Lost[]> {
  const lost: Lost[] = []
  for (const it of missing) {
    const { folder, id } = it
    const known =
      folder === 'exports' ? await readyAmong(snapshot.db, [id]) : await idsWithRow(snapshot.db, folder, [id])
    if (known.has(it.id) && (await objects.sizeOf(it.key)) === undefined) lost.push(it)
  }
  return lost
}
