// Puts the copied objects of a backup back into the stores.
import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { copyIn, factsOfFile } from '#server/adapters/files/backup-folder.ts'
import type { ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import { isErased } from './erasure-log.ts'
import type { ListedObject } from './manifest.ts'
import { listedIn } from './verify.ts'

interface RestorePorts {
  readonly folder: string
  readonly objects: Pick<ObjectStore, 'put' | 'putFolder' | 'factsOf'>
  readonly scratch: Pick<Scratch, 'newPath' | 'remove'>
}

/** What was put back, and the keys of objects that are missing or are not those of the backup. */
export interface RestoredObjects {
  readonly copied: number
  readonly wrong: readonly ObjectKey[]
}

/** A line that the list of a whole backup cannot have. */
class ListBroken extends Error {}

/** Objects that were not copied must be in their store; each is looked up. Those that the log of erasures has are left out. */
export async function restoreObjects(ports: RestorePorts): Promise<RestoredObjects> {
  const wrong: ObjectKey[] = []
  let copied = 0
  for await (const group of groupsOf(ports.folder)) {
    const [first] = group
    if (!first) continue
    const good: ListedObject[] = []
    for (const it of group) {
      if (await isErased((key) => ports.objects.factsOf(key), it)) continue
      if (await isWhole(ports, it)) good.push(it)
      else wrong.push(it.key)
    }
    const own = good.filter((it) => it.sha256 !== undefined)
    copied += own.length
    if (own.length > 0) await putBack(ports, own)
  }
  return { copied, wrong }
}

/** Objects that are put together: those of one media, which the list has one after the other, or a single one. */
async function* groupsOf(folder: string): AsyncGenerator<readonly ListedObject[], void> {
  let group: ListedObject[] = []
  for await (const { no, it } of listedIn(folder)) {
    if (!it) throw new ListBroken(`line ${no} of the list of objects cannot be read`)
    if (group[0] && groupKey(group[0].key) !== groupKey(it.key)) {
      yield group
      group = []
    }
    group.push(it)
  }
  if (group.length > 0) yield group
}

/** `media/{id}`, or the whole key. */
const groupKey = (key: ObjectKey): ObjectKey =>
  key.startsWith('media/') ? (key.split('/').slice(0, 2).join('/') as ObjectKey) : key

async function isWhole({ folder, objects }: RestorePorts, it: ListedObject): Promise<boolean> {
  if (it.sha256 === undefined) {
    const facts = await objects.factsOf(it.key)
    return facts?.size === it.size && facts.etag === it.etag
  }
  const facts = await factsOfFile(copyIn(folder, it.key))
  return facts?.sha256 === it.sha256
}

async function putBack(
  { folder, objects, scratch }: RestorePorts,
  group: readonly ListedObject[],
): Promise<void> {
  const key = groupKey(group[0]?.key ?? 'media/')
  const temporary = scratch.newPath()
  try {
    for (const it of group) {
      const to = path.join(temporary, it.key.slice(key.length))
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
      await copyFile(copyIn(folder, it.key), to)
    }
    await (key.startsWith('media/') ? objects.putFolder(key, temporary) : objects.put(key, temporary))
  } finally {
    await scratch.remove(temporary)
  }
}
