// Everything that is stored outside the database.
import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createDiskObjects } from './disk-objects.ts'
import { type DiskRoom, createDiskRoom } from './disk-room.ts'
import { createDiskPlace } from './moving/disk-place.ts'
import { createObjectMove, type MoveEnds, type ObjectMove } from './moving/move.ts'
import { createMovingObjects } from './moving/moving-objects.ts'
import { createMovingPartBytes, createMovingUploadBytes } from './moving/moving-upload-bytes.ts'
import { type ObjectStore, type Prefix, prefixes, type UploadPrefix } from './object-store.ts'
import { createObjectsByPrefix } from './objects-by-prefix.ts'
import { createDiskPartBytes, type PartBytes } from './part-bytes.ts'
import { createScratch, type Scratch } from './scratch.ts'
import { createDiskUploadBytes, type UploadBytes } from './upload-bytes.ts'
import type { S3Settings } from '#server/adapters/s3/client.ts'
import { noParts, type UploadParts } from './upload-parts.ts'
import type { Observers } from '#server/adapters/s3/s3-storage.ts'
import { writeZip, type ZipEntry } from './zip.ts'

export interface Storage {
  readonly objects: ObjectStore
  readonly uploadBytes: UploadBytes
  /** Those of uploads for identity checks, which are in a place of their own. */
  readonly documentBytes: UploadBytes
  /** Numbered parts of uploads; documents have none. */
  readonly partBytes: PartBytes
  readonly scratch: Scratch
  /** Writes a zip of any size to a temporary file. @param now milliseconds since 1970, for the entries' dates */
  writeZip(to: string, entries: readonly ZipEntry[], now: number): Promise<void>
  /** Moves objects from where they were before; undefined when they are in one place. */
  readonly move: ObjectMove | undefined
  /** Free disk space of the data folder. */
  readonly room: DiskRoom
}

interface StorageOptions {
  /** Whether other processes may use the folder too; their temporary files stay. */
  readonly shared?: boolean
  readonly room?: DiskRoom
  /** The rows of uploads below a prefix; programs that only read and write whole objects have none. */
  readonly parts?: (prefix: UploadPrefix) => UploadParts
  /** Objects in an S3 store; by default all are in the data folder. */
  readonly s3?: S3Settings | undefined
  readonly observers?: Observers
  /** Where objects were before, while they are moved between the data folder and the S3 store. */
  readonly movedFrom?: 'disk' | 's3' | undefined
}

/** Only the user of this process may enter. */
const PRIVATE = 0o700

/** Opens the storage in the data folder. */
export async function openStorage(root: string, options: StorageOptions = {}): Promise<Storage> {
  const { shared = false, room = createDiskRoom(root, 0), parts = () => noParts } = options
  for (const it of [...prefixes, 'tmp'].map((name) => path.join(root, name))) {
    await mkdir(it, { recursive: true, mode: PRIVATE })
    // Folders of earlier versions were open to other users of the machine.
    await chmod(it, PRIVATE)
  }
  const scratch = await createScratch(path.join(root, 'tmp'), shared, room)
  const bytesBelow = (prefix: UploadPrefix) => createDiskUploadBytes(path.join(root, prefix), room)
  const disk = {
    objects: createDiskObjects(root),
    uploadBytes: bytesBelow('uploads'),
    documentBytes: bytesBelow('identity-uploads'),
    partBytes: createDiskPartBytes(path.join(root, 'uploads'), room, parts('uploads')),
  }
  const { objects, uploadBytes, documentBytes, partBytes, move } = options.s3
    ? await withS3({ root, disk, scratch, parts }, options.s3, options)
    : { ...disk, move: undefined }
  return {
    objects,
    uploadBytes,
    documentBytes,
    partBytes,
    scratch,
    writeZip: (to, entries, now) => writeZip(objects, to, entries, now),
    move,
    room,
  }
}

type Stores = Pick<Storage, 'objects' | 'uploadBytes' | 'documentBytes' | 'partBytes'>

interface OnDisk {
  readonly root: string
  readonly disk: Stores
  readonly scratch: Scratch
  readonly parts: (prefix: UploadPrefix) => UploadParts
}

/** The client of the store is loaded only for one. */
async function withS3(
  { root, disk, scratch, parts }: OnDisk,
  settings: S3Settings,
  { observers, movedFrom }: StorageOptions,
): Promise<Stores & Pick<Storage, 'move'>> {
  const { openS3Places, openS3Storage } = await import('#server/adapters/s3/s3-storage.ts')
  const inStore = openS3Storage(settings, scratch, parts, observers)
  if (!movedFrom)
    return {
      objects: createObjectsByPrefix(inStore.objects),
      uploadBytes: inStore.uploadBytes,
      documentBytes: inStore.documentBytes,
      partBytes: inStore.partBytes,
      move: undefined,
    }
  const diskPlace = createDiskPlace(root, scratch)
  const s3Place = openS3Places(settings)
  const endsOf = (prefix: Prefix): MoveEnds => {
    const [store, place] = [inStore.objects[prefix], s3Place(prefix)]
    return movedFrom === 'disk'
      ? { present: store, presentPlace: place, earlier: disk.objects, earlierPlace: diskPlace }
      : { present: disk.objects, presentPlace: diskPlace, earlier: store, earlierPlace: place }
  }
  const [present, earlier] = movedFrom === 'disk' ? [inStore, disk] : [disk, inStore]
  const bytesBelow = (prefix: UploadPrefix, name: 'uploadBytes' | 'documentBytes'): UploadBytes => {
    const ends = endsOf(prefix)
    const placeOf = (bytes: UploadBytes, objects: ObjectStore) => ({
      bytes,
      sizeOf: (id: string) => objects.sizeOf(`${prefix}/${id}`),
    })
    return createMovingUploadBytes({
      present: placeOf(present[name], ends.present),
      earlier: placeOf(earlier[name], ends.earlier),
      finishedSize: async (id) => (await parts(prefix).find(id))?.finished ?? undefined,
    })
  }
  const moving = (prefix: Prefix) => createMovingObjects(endsOf(prefix))
  return {
    objects: createObjectsByPrefix({
      uploads: moving('uploads'),
      'identity-uploads': moving('identity-uploads'),
      media: moving('media'),
      identity: moving('identity'),
      exports: moving('exports'),
      erasures: moving('erasures'),
    }),
    uploadBytes: bytesBelow('uploads', 'uploadBytes'),
    documentBytes: bytesBelow('identity-uploads', 'documentBytes'),
    partBytes: createMovingPartBytes(present.partBytes, earlier.uploadBytes),
    move: createObjectMove({
      endsOf,
      prefixes,
      unfinishedAmong: async (prefix, ids) => parts(prefix).unfinishedAmong(ids),
    }),
  }
}
