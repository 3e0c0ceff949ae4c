// The data folder as a place from which, or to which, objects are moved.
import { copyFile, link, mkdir, opendir, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { syncFile } from '#server/adapters/files/durable.ts'
import { checkKey, type ObjectKey, type Prefix } from '#server/adapters/files/object-store.ts'
import { isPartsFile } from '#server/adapters/files/parts-file.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import type { MovePlace } from './place.ts'

/** Keys that are given at once. */
const PAGE = 500

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** @param root the data folder */
export function createDiskPlace(root: string, scratch: Scratch): MovePlace {
  const pathOf = (key: ObjectKey) => path.join(root, checkKey(key))
  return {
    keys: (prefix) => keys(root, prefix),
    async putOnce(key, file) {
      const [to, own] = [pathOf(key), scratch.newPath()]
      await makeFolder(root, path.dirname(to))
      try {
        await copyFile(file, own)
        await syncFile(own)
        // A link is not made where there is a file, in one step.
        await link(own, to)
        await syncFile(to)
        return markOf(await stat(to))
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return undefined
        throw error
      } finally {
        await scratch.remove(own)
      }
    },
    async isMarked(key, mark) {
      try {
        return markOf(await stat(pathOf(key))) === mark
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false
        throw error
      }
    },
    async removeMoved(key) {
      await rm(pathOf(key), { force: true })
      for (const folder of foldersAbove(key)) {
        try {
          await rmdir(path.join(root, folder))
        } catch {
          return
        }
      }
    },
  }
}

const markOf = ({ ino, birthtimeMs }: { readonly ino: number; readonly birthtimeMs: number }) =>
  `${ino}-${birthtimeMs}`

/** The folders of a key below its prefix, the deepest first. */
const foldersAbove = (key: ObjectKey): string[] => {
  const names = key.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, names.length - at).join('/')).slice(0, -1)
}

/** Makes a folder, and syncs those above it, so that it survives a power cut. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  for (let it = folder; it !== root && it.length > root.length; it = path.dirname(it)) await syncFile(it)
}

async function* keys(root: string, prefix: Prefix): AsyncGenerator<readonly ObjectKey[], void> {
  let page: ObjectKey[] = []
  for await (const entry of await opendir(path.join(root, prefix), { recursive: true })) {
    if (!entry.isFile() || isPartsFile(entry.name)) continue
    const name = path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')
    page.push(name as ObjectKey)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
