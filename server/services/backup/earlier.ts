// The newest complete backup beside a new one, whose unchanged objects the new one shares.
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { copyIn, type FileFacts, factsOfFile, isPartial } from '#server/adapters/files/backup-folder.ts'
import type { ObjectKey, StoredObject } from '#server/adapters/files/object-store.ts'
import { type ListedObject, type Manifest, OBJECTS } from './manifest.ts'
import { listedIn, readManifest } from './verify.ts'

/** The copy of an object in an earlier backup, whose bytes are those of its list. */
export interface EarlierCopy {
  readonly file: string
  readonly facts: FileFacts
  /** The object's tag at that time; undefined in backups of earlier versions. */
  readonly etag: string | undefined
}

export interface EarlierBackup {
  readonly folder: string
  /**
   * A copy of the same size as the object. Objects are asked for in the order of a list of objects.
   * @returns `damaged`: the copy is missing, or its bytes are not those of its list
   */
  find(object: StoredObject): Promise<EarlierCopy | 'damaged' | undefined>
  close(): Promise<void>
}

/** The order in which a list has the prefixes (`needed-objects.ts`); ids ascend within each. */
const sections = ['uploads', 'media', 'identity', 'exports']

/** Sorts like the lists do; objects of one media are at one place. */
function placeOf(key: ObjectKey): string {
  const [prefix = '', id = ''] = key.split('/')
  return `${sections.indexOf(prefix)} ${id}`
}

/**
 * Looks up keys that ascend, and holds only the lines of one place. A key out of order is not found, and its object is then copied.
 */
function createCursor(folder: string) {
  const lines = listedIn(folder)
  let next: ListedObject | undefined
  let place = ''
  let here = new Map<ObjectKey, ListedObject>()

  const readLine = async () => {
    const { value } = await lines.next()
    return value?.it
  }
  /** Goes on to the next place; false after the last one. */
  async function advance(): Promise<boolean> {
    next ??= await readLine()
    if (!next) return false
    place = placeOf(next.key)
    here = new Map()
    while (next && placeOf(next.key) === place) {
      here.set(next.key, next)
      next = await readLine()
    }
    return true
  }
  return {
    async find(key: ObjectKey): Promise<ListedObject | undefined> {
      const wanted = placeOf(key)
      while (place < wanted) if (!(await advance())) return undefined
      return place === wanted ? here.get(key) : undefined
    },
    close: () => lines.return(),
  }
}

/** Undefined for a file that cannot be read, such as one of another user. */
async function ownFacts(file: string): Promise<FileFacts | undefined> {
  try {
    return (await lstat(file)).isFile() ? await factsOfFile(file) : undefined
  } catch {
    return undefined
  }
}

/** Whether the list is the one that the backup was made with. */
async function hasItsList(folder: string, { files }: Manifest): Promise<boolean> {
  return (await ownFacts(path.join(folder, OBJECTS)))?.sha256 === files[OBJECTS].sha256
}

/** The newest complete backup in the folder that has, or will have, `folder`; undefined when there is none. */
export async function openEarlier(folder: string): Promise<EarlierBackup | undefined> {
  const parent = path.dirname(folder)
  const entries = await readdir(parent, { withFileTypes: true })
  const complete: { readonly folder: string; readonly manifest: Manifest }[] = []
  for (const it of entries) {
    if (!it.isDirectory() || isPartial(it.name) || it.name === path.basename(folder)) continue
    const found = path.join(parent, it.name)
    // A folder of something else, or one that this user may not read.
    const manifest = await readManifest(found).catch(() => undefined)
    if (manifest) complete.push({ folder: found, manifest })
  }
  const madeAt = ({ manifest }: (typeof complete)[number]) => Date.parse(manifest.made_at)
  for (const it of complete.toSorted((a, b) => madeAt(b) - madeAt(a)))
    if (await hasItsList(it.folder, it.manifest)) return openCopies(it.folder)
  return undefined
}

function openCopies(folder: string): EarlierBackup {
  const cursor = createCursor(folder)
  return {
    folder,
    async find({ key, size }) {
      const listed = await cursor.find(key)
      if (listed?.sha256 === undefined || listed.size !== size) return undefined
      const file = copyIn(folder, key)
      const facts = await ownFacts(file)
      if (facts?.size !== size || facts.sha256 !== listed.sha256) return 'damaged'
      return { file, facts, etag: listed.etag }
    },
    async close() {
      await cursor.close()
    },
  }
}
