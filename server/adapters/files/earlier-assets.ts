// Hashed files of earlier builds, for pages that were opened before a deploy.
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'

/** Time for which a file is stored after the last start of a build with it, ms: longer than pages stay open. */
const STORED_MS = 30 * 24 * 3600 * 1000

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/**
 * Copies this build's hashed files to those of earlier ones, and removes files that no build of the last 30 days had.
 * Two servers may start at once on the same folder.
 * @param assets the build's folder of hashed files
 * @param assetsFolder the folder with the files of earlier builds
 * @param now milliseconds since 1970
 */
export async function storeAssets(assets: string, assetsFolder: string, now: number): Promise<void> {
  const names = (await namesIn(assets)).filter((name) => !name.endsWith('.map'))
  if (names.length > 0) await mkdir(assetsFolder, { recursive: true })
  const storedNames = new Set(await namesIn(assetsFolder))
  for (const name of names) {
    const target = path.join(assetsFolder, name)
    if (!storedNames.has(name)) {
      const partial = `${target}.${process.pid}.partial`
      await copyFile(path.join(assets, name), partial)
      await rename(partial, target)
    }
    await utimes(target, now / 1000, now / 1000)
  }
  const current = new Set(names)
  for (const name of storedNames) {
    if (current.has(name)) continue
    const file = path.join(assetsFolder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }))
    if (mtimeMs < now - STORED_MS) await rm(file, { force: true })
  }
}
