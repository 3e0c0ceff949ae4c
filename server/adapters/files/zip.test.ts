// Zips are written as a stream, so that large files do not fill the memory.
import { mkdir, mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MiB } from '#contract/limits.ts'
import { createDiskObjects } from './disk-objects.ts'
import { writeZip } from './zip.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const memoryInUse = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('a zip of 300 MB needs less than 100 MB of memory', async () => {
  const video = path.join(folder, 'uploads', 'video.mp4')
  await mkdir(path.dirname(video))
  await writeFile(video, '')
  await truncate(video, 300 * MiB)
  const before = memoryInUse()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, memoryInUse() - before)), 5)
  const zip = path.join(folder, 'large.zip')
  await writeZip(
    createDiskObjects(folder),
    zip,
    [{ is: 'object', name: 'media/動画.mp4', key: 'uploads/video.mp4', size: 300 * MiB }],
    0,
  )
  clearInterval(watch)
  expect((await stat(zip)).size).toBeGreaterThan(300 * MiB)
  expect(most).toBeLessThan(100 * MiB)
})

test('a missing file fails the whole zip', async () => {
  const entries = [{ is: 'object', name: 'a', key: 'uploads/nothing', size: 1 }] as const
  await expect(writeZip(createDiskObjects(folder), path.join(folder, 'a.zip'), entries, 0)).rejects.toThrow(
    'there is no object uploads/nothing',
  )
})

test('a zip does not overwrite another file', async () => {
  const existing = path.join(folder, 'existing.zip')
  await (await open(existing, 'w')).close()
  await expect(
    writeZip(createDiskObjects(folder), existing, [{ is: 'text', name: 'a', text: 'a' }], 0),
  ).rejects.toThrow('EEXIST')
})
