// Everything that is stored outside the database.
import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type DiskObjects, createDiskObjects } from './disk-objects.ts'
import { type DiskRoom, createDiskRoom } from './disk-room.ts'
import { prefixes } from './object-store.ts'
import { createScratch, type Scratch } from './scratch.ts'
import { createDiskUploadBytes, type UploadBytes } from './upload-bytes.ts'
import { writeZip, type ZipEntry } from './zip.ts'

export interface Storage {
  readonly objects: DiskObjects
  readonly uploadBytes: UploadBytes
  readonly scratch: Scratch
  /** Writes a zip of any size to a temporary file. @param now milliseconds since 1970, for the entries' dates */
  writeZip(to: string, entries: readonly ZipEntry[], now: number): Promise<void>
  /** Free disk space of the data folder. */
  readonly room: DiskRoom
}

interface StorageOptions {
  /** Whether other processes may use the folder too; their temporary files stay. */
  readonly shared?: boolean
  readonly room?: DiskRoom
}

/** Only the user of this process may enter. */
const PRIVATE = 0o700

/** Opens the storage in the data folder. */
export async function openStorage(root: string, options: StorageOptions = {}): Promise<Storage> {
  const { shared = false, room = createDiskRoom(root, 0) } = options
  for (const it of [...prefixes, 'tmp'].map((name) => path.join(root, name))) {
    await mkdir(it, { recursive: true, mode: PRIVATE })
    // Folders of earlier versions were open to other users of the machine.
    await chmod(it, PRIVATE)
  }
  const objects = createDiskObjects(root)
  return {
    objects,
    uploadBytes: createDiskUploadBytes(path.join(root, 'uploads')),
    scratch: await createScratch(path.join(root, 'tmp'), shared, room),
    writeZip: (to, entries, now) => writeZip(objects, to, entries, now),
    room,
  }
}
