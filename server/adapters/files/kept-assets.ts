// Hashed files of earlier builds, for pages that were opened before a deploy.
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'

/** A build that was served stays this long after the last start that had it, ms: longer than pages are left open. */
const KEPT_MS = 30 * 24 * 3600 * 1000

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/**
 * Copies this build's hashed files beside those of earlier ones and removes files that no build of the last 30 days
 * had. Two servers may start at once on the same folder.
 * @param assets the build's folder of hashed files
 * @param assetsFolder the folder they are copied to
 * @param now milliseconds since 1970
 */
export async function keepAssets(assets: string, assetsFolder: string, now: number): Promise<void> {
  const names = (await namesIn(assets)).filter((name) => !name.endsWith('.map'))
  if (names.length > 0) await mkdir(assetsFolder, { recursive: true })
  const there = new Set(await namesIn(assetsFolder))
  for (const name of names) {
    const target = path.join(assetsFolder, name)
    if (!there.has(name)) {
      const half = `${target}.${process.pid}.half`
      await copyFile(path.join(assets, name), half)
      await rename(half, target)
    }
    await utimes(target, now / 1000, now / 1000)
  }
  const current = new Set(names)
  for (const name of there) {
    if (current.has(name)) continue
    const file = path.join(assetsFolder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }))
    if (mtimeMs < now - KEPT_MS) await rm(file, { force: true })
  }
}
