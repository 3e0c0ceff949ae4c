// Makes a backup: a dump of a snapshot, and the objects that its rows need.
import type { Snapshot } from '#server/adapters/database/snapshot.ts'
import { type FileFacts, type NewBackup, settleFile } from '#server/adapters/files/backup-folder.ts'
import type { ObjectKey, ObjectStore, StoredObject } from '#server/adapters/files/object-store.ts'
import { countRowsOfBackup, readBackupFacts } from '#server/store/backup/facts.ts'
import { readyAmong } from '#server/store/accounts/exports.ts'
import { idsWithRow } from '#server/store/media/stored-files.ts'
import type { EarlierBackup, EarlierCopy } from './earlier.ts'
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
  /** A backup whose unchanged objects are shared instead of copied. */
  readonly earlier?: EarlierBackup | undefined
}

export interface Created {
  readonly manifest: Manifest
  /** Objects that rows still need although they are missing. Those of rows that were deleted meanwhile are none. */
  readonly lost: readonly Lost[]
  /** Objects that are shared with the earlier backup. */
  readonly shared: number
  /** Copies of the earlier backup that are damaged; these objects were copied anew. */
  readonly damaged: readonly ObjectKey[]
}

/** What the making of the list found. */
interface Findings {
  listed: number
  copied: number
  bytes: number
  shared: number
  readonly missing: Lost[]
  readonly damaged: ObjectKey[]
}

/** Makes the folder complete. Servers may write meanwhile. @throws ProgramFailed */
export async function createBackup(ports: CreatePorts): Promise<Created> {
  const { snapshot, backup, now } = ports
  const facts = await readBackupFacts(snapshot.db)
  const rows = await countRowsOfBackup(snapshot.db)
  await snapshot.dumpTo(backup.pathOf(DUMP))
  const dump = await settleFile(backup.pathOf(DUMP))
  const found: Findings = { listed: 0, copied: 0, bytes: 0, shared: 0, missing: [], damaged: [] }
  const list = await backup.write(OBJECTS, linesOf(ports, found))
  await snapshot.end()
  const { listed, copied, bytes, shared, damaged } = found
  const lost = await stillNeeded(ports, found.missing)
  const manifest: Manifest = {
    format: 1,
    made_at: new Date(now).toISOString(),
    database: snapshot.kind,
    postgres: snapshot.major,
    migrations: [...facts.migrations],
    keys: { ...facts.keys },
    rows,
    objects: { listed, copied, bytes, missing: lost.length },
    files: { [DUMP]: dump, [OBJECTS]: list },
  }
  await backup.write(MANIFEST, [Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)])
  await backup.finish()
  return { manifest, lost, shared, damaged }
}

/** The list of objects, which are copied on the way. */
async function* linesOf(ports: CreatePorts, found: Findings): AsyncGenerator<Buffer, void> {
  const { snapshot, objects, copiesAll } = ports
  for await (const it of neededObjects(snapshot.db, objects)) {
    if ('lost' in it) {
      found.missing.push(it.lost)
      continue
    }
    const { object } = it
    const isInFolder = objects.pathOf(object.key) !== undefined
    const copied = isInFolder || copiesAll ? await copyOf(ports, object, found) : undefined
    if (copied === 'gone') {
      found.missing.push(lostOf(object))
      continue
    }
    const line = lineOf(object, isInFolder, copied)
    found.listed += 1
    found.copied += copied ? 1 : 0
    found.bytes += line.size
    yield Buffer.from(`${JSON.stringify(line)}\n`)
  }
}

/** The tag lets the next backup see that an object has not changed. */
const lineOf = (
  { key, owner, size, etag }: OwnedObject,
  isInFolder: boolean,
  copied: FileFacts | undefined,
): ListedObject => {
  const bucket = key.startsWith('identity/') ? 'identity_bucket' : 'bucket'
  return { key, store: isInFolder ? 'folder' : bucket, owner, ...(copied ?? { size }), etag }
}

/**
 * Shares the copy of the earlier backup, if the object is unchanged and that copy is whole; else copies the object. `gone` when it was
 * removed since it was found.
 */
async function copyOf(
  { objects, backup, earlier }: CreatePorts,
  object: StoredObject,
  found: Findings,
): Promise<FileFacts | 'gone'> {
  const { key } = object
  const before = await earlier?.find(object)
  if (before === 'damaged') found.damaged.push(key)
  const copy = before === 'damaged' ? undefined : before
  const share = async ({ file }: EarlierCopy) => {
    const isShared = await backup.linkObject(key, file)
    found.shared += isShared ? 1 : 0
    return isShared
  }
  if (copy?.etag === object.etag && (await share(copy))) return copy.facts
  try {
    const facts = await backup.writeObject(key, objects.read(key))
    // The tag of a restored or moved object is another one, although its bytes are the same.
    if (copy && copy.etag !== object.etag && facts.sha256 === copy.facts.sha256) await share(copy)
    return facts
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
