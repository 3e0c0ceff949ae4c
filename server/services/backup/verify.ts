// Compares a backup with its manifest and its list of objects.
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { checkDump } from '#server/adapters/database/snapshot.ts'
import { copyIn, factsOfFile, readBackupFile } from '#server/adapters/files/backup-folder.ts'
import type { ObjectFacts, ObjectKey } from '#server/adapters/files/object-store.ts'
import { isErased } from './erasure-log.ts'
import {
  DUMP,
  type ListedObject,
  type Manifest,
  MANIFEST,
  OBJECTS,
  parseListed,
  parseManifest,
} from './manifest.ts'

/** A difference. `unreadable`: the program that restores dumps cannot read it, though its digest is right. */
export type Difference =
  | { readonly is: 'manifest' }
  | { readonly is: 'file_missing' | 'file_changed' | 'unreadable'; readonly name: string }
  | { readonly is: 'line'; readonly no: number }
  | { readonly is: 'object_missing' | 'object_changed'; readonly key: ObjectKey }
  | { readonly is: 'count'; readonly listed: number; readonly found: number }

interface VerifyPorts {
  readonly folder: string
  /** Only sizes, and no digests. */
  readonly quick: boolean
  /** Opens the stores, for objects that were not copied. */
  readonly factsOf: (key: ObjectKey) => Promise<ObjectFacts | undefined>
}

/** @returns undefined for a manifest of another form @throws FolderRefused */
export const readManifest = async (folder: string): Promise<Manifest | undefined> =>
  parseManifest(await readBackupFile(folder, MANIFEST))

/** Lines of the list with their numbers. */
export async function* listedIn(
  folder: string,
): AsyncGenerator<{ readonly no: number; readonly it: ListedObject | undefined }, void> {
  const lines = createInterface({ input: createReadStream(path.join(folder, OBJECTS)) })
  let no = 0
  for await (const line of lines) {
    no += 1
    let it: ListedObject | undefined
    try {
      it = parseListed(line)
    } catch {
      it = undefined
    }
    yield { no, it }
  }
}

/** @returns the differences, found one after the other @throws FolderRefused for a folder that is not complete */
export async function* verifyBackup(ports: VerifyPorts): AsyncGenerator<Difference, void> {
  const { folder, quick } = ports
  const manifest = await readManifest(folder)
  if (!manifest) return yield { is: 'manifest' }
  let isWhole = true
  for (const name of [DUMP, OBJECTS] as const) {
    const found = await factsOfFile(path.join(folder, name), quick)
    const wanted = manifest.files[name]
    if (found && found.size === wanted.size && (quick || found.sha256 === wanted.sha256)) continue
    isWhole = false
    yield { is: found ? 'file_changed' : 'file_missing', name }
  }
  if (!isWhole) return
  if (!quick && !(await isReadable(manifest, path.join(folder, DUMP)))) yield { is: 'unreadable', name: DUMP }
  let found = 0
  for await (const { no, it } of listedIn(folder)) {
    found += 1
    const difference = it ? await compare(ports, it) : ({ is: 'line', no } as const)
    if (difference) yield difference
  }
  const { listed } = manifest.objects
  if (found !== listed) yield { is: 'count', listed, found }
}

const isReadable = (manifest: Manifest, file: string): Promise<boolean> =>
  checkDump(manifest.database, file).then(
    () => true,
    () => false,
  )

async function compare(
  { folder, quick, factsOf }: VerifyPorts,
  it: ListedObject,
): Promise<Difference | undefined> {
  const { key, size, sha256, etag } = it
  if (sha256 === undefined) {
    const facts = await factsOf(key)
    // What was erased is in no store any more, and is not restored either.
    if (!facts) return (await isErased(factsOf, it)) ? undefined : { is: 'object_missing', key }
    return facts.size === size && facts.etag === etag ? undefined : { is: 'object_changed', key }
  }
  const copy = await factsOfFile(copyIn(folder, key), quick)
  if (!copy) return { is: 'object_missing', key }
  return copy.size === size && (quick || copy.sha256 === sha256) ? undefined : { is: 'object_changed', key }
}
