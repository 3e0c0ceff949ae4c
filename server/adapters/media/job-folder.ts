// The folder of one media process: its input in `in`, its output in `out`.
import { randomUUID } from 'node:crypto'
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Names that a media process may write in its output, and in `hls` inside it. */
const ofMedia = /^(?:w\d{1,5}|p\d{1,2}|poster|blurred|still)\.webp$|^play\.mp4$/
const ofSegments = /^(?:main|video|\d{3}p)\.m3u8$|^(?:\d{3}p-)?(?:init\.mp4|\d{1,6}\.m4s)$/

export async function makeJobFolder(scratch: string): Promise<string> {
  const job = path.join(scratch, randomUUID())
  for (const name of ['in', 'out']) await mkdir(path.join(job, name), { recursive: true })
  return job
}

export const removeJobFolder = (job: string): Promise<void> => rm(job, { recursive: true, force: true })

/** Makes a file visible to the process, read-only, by a link or else a copy. */
export async function putInput(job: string, file: string, name: string): Promise<void> {
  const target = path.join(job, 'in', name)
  try {
    await link(file, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    await copyFile(file, target)
  }
}

/**
 * Moves the output of an ended process. A compromised process may have written anything: only regular files of known
 * names are moved, and a link is an error.
 * @param kind `ladder`: playlists and segments are directly in the output
 */
export async function takeOutput(job: string, to: string, kind: 'media' | 'ladder'): Promise<void> {
  const from = path.join(job, 'out')
  await takeFiles(from, to, kind === 'ladder' ? ofSegments : ofMedia)
  if (kind === 'ladder') return
  const segments = await lstat(path.join(from, 'hls')).catch(() => undefined)
  if (!segments?.isDirectory()) return
  await mkdir(path.join(to, 'hls'))
  await takeFiles(path.join(from, 'hls'), path.join(to, 'hls'), ofSegments)
}

async function takeFiles(from: string, to: string, names: RegExp): Promise<void> {
  for (const name of await readdir(from)) {
    if (!names.test(name)) continue
    const file = path.join(from, name)
    const about = await lstat(file)
    if (!about.isFile() || about.nlink !== 1)
      throw new Error(`the media process wrote ${name}, which is not a regular file`)
    await rename(file, path.join(to, name))
  }
}
