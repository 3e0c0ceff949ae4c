// Smaller renditions of a longer video: added once it plays, with the video's access.
// If they cannot be made, the video still plays.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { findMedia } from '#server/store/media/media.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { upload } from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import { isInstalled } from '#server/testing/programs.ts'
import { mediaMakerOnPath } from '#server/testing/media/makers.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let binFolder: string
let world: World
let studio: Studio
beforeAll(async () => {
  binFolder = await mkdtemp(path.join(tmpdir(), 'todoke-bin-'))
})
afterAll(() => rm(binFolder, { recursive: true }))

/** Opens a test server whose media processes look for ffmpeg in these folders. */
async function open(folders: string) {
  world = await openWorld({ worker: true, parts: { mediaMaker: mediaMakerOnPath(folders) } })
  studio = await openStudio(world)
}

/** Adds a paid video and waits until it is ready. */
async function addReadyVideo(name: 'h264-360p-62s.mp4' | 'h264-65s.mp4') {
  const enqueue = vi.spyOn(world.deps.jobs, 'enqueue')
  const id = await upload(world, studio.creator, fixture(name), 'a.mp4')
  const postId = await studio.post([
    ['type', '3'],
    ['price', '500'],
    ['has_video_file', id],
  ])
  const [media] = await studio.processedMedia(postId)
  const hls = expect.stringContaining(`/api/media/${id}/hls/main.m3u8?exp=`) as string
  expect(media).toMatchObject({ kind: 'video', state: 'ready', hls })
  const jobs = enqueue.mock.calls.map((it) => it[1])
  enqueue.mockRestore()
  return { id, postId, jobs }
}

const read = async (id: string, name: string) =>
  (await studio.file(id, `hls/${name}`, studio.creator)).body.replaceAll(/[?]exp=\d+&sig=[\w-]+/g, '')
const urlsIn = (playlist: string) =>
  playlist
    .split('\n')
    .map((line) => /URI="([^"]+)"/.exec(line)?.[1] ?? line)
    .filter((line) => line !== '' && !line.startsWith('#'))
const stepsOf = async (id: string) => (await findMedia(world.deps.db, id))?.made.steps
const bandwidthsIn = (main: string) => [...main.matchAll(/[:,]BANDWIDTH=(\d+)/g)].map((it) => Number(it[1]))

describe.skipIf(!isInstalled('ffmpeg'))('with ffmpeg', () => {
  beforeAll(() => open(defined(process.env['PATH'])))
  afterAll(() => world.close())

  test('a smaller rendition needs less bandwidth than the source, and is forbidden without a purchase', async () => {
    const { id, postId, jobs } = await addReadyVideo('h264-360p-62s.mp4')
    expect(jobs).toContain('media.ladder')
    await expect.poll(async () => (await stepsOf(id)) !== undefined).toBeTruthy()
    expect(await stepsOf(id)).toEqual([240])
    const main = await read(id, 'main.m3u8')
    expect(urlsIn(main)).toEqual(['240p.m3u8', 'video.m3u8'])
    expect(main).toMatch(/RESOLUTION=42\dx240\n240p/)
    const [smaller, source] = bandwidthsIn(main)
    expect(smaller).toBeLessThan((source ?? 0) * 0.86)
    const files = ['240p.m3u8', ...urlsIn(await read(id, '240p.m3u8'))]
    expect(files.filter((it) => it.endsWith('.m4s')).length).toBeGreaterThanOrEqual(10)
    const statuses = async (as: Studio['fan'] | null) => {
      const replies = await Promise.all(files.map((it) => studio.file(id, `hls/${it}`, as)))
      return [...new Set(replies.map((it) => it.statusCode))]
    }
    expect(await statuses(null)).toEqual([403])
    expect(await statuses(studio.fan)).toEqual([403])
    await addPurchase(world.deps.db, postId, studio.fan.id, 500, world.clock.now)
    expect(await statuses(studio.fan)).toEqual([200])
  })

  test('a video no larger than the lowest rendition gets no smaller one', async () => {
    const { id, jobs } = await addReadyVideo('h264-65s.mp4')
    expect(jobs).not.toContain('media.ladder')
    expect(urlsIn(await read(id, 'main.m3u8'))).toEqual(['video.m3u8'])
  })
})

describe('with an ffmpeg that fails', () => {
  beforeAll(async () => {
    const program = path.join(binFolder, 'ffmpeg')
    await writeFile(program, '#!/bin/sh\n[ "$1" = -version ] && exit 0\nexit 1\n')
    await chmod(program, 0o755)
    await open(`${binFolder}:/usr/bin:/bin`)
  })
  afterAll(() => world.close())

  test('the video has one rendition, and the job is not retried', async () => {
    const { id, jobs } = await addReadyVideo('h264-360p-62s.mp4')
    expect(jobs).toContain('media.ladder')
    const states = async () =>
      (
        await world.database.executeSql(
          `select state, retry_count from pgboss.job where name = 'media.ladder'`,
        )
      ).rows
    await expect.poll(() => states()).toEqual([{ state: 'completed', retry_count: 0 }])
    expect(await stepsOf(id)).toBeUndefined()
    expect(urlsIn(await read(id, 'main.m3u8'))).toEqual(['video.m3u8'])
    expect((await studio.file(id, 'hls/1.m4s', studio.creator)).statusCode).toBe(200)
  })
})

describe('without ffmpeg', () => {
  beforeAll(() => open('/nowhere'))
  afterAll(() => world.close())

  test('no job for smaller renditions is enqueued', async () => {
    const { id, jobs } = await addReadyVideo('h264-360p-62s.mp4')
    expect(jobs).toContain('media.film')
    expect(jobs).not.toContain('media.ladder')
    expect(urlsIn(await read(id, 'main.m3u8'))).toEqual(['video.m3u8'])
  })
})
