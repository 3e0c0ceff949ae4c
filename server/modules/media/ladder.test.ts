// Smaller renditions of a longer video: added after it plays already, guarded as it is, and never in its way.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findMedia } from '#server/store/media/media.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { upload } from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import { makerOn } from '#server/testing/makers.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const hasFfmpeg = (() => {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let bin: string
let world: World
let studio: Studio
beforeAll(async () => {
  bin = await mkdtemp(path.join(tmpdir(), 'todoke-bin-'))
})
afterAll(() => rm(bin, { recursive: true }))

/** A world whose children look for ffmpeg there. */
async function open(where: string) {
  world = await openWorld({ worker: true, parts: { mediaMaker: makerOn(where) } })
  studio = await openStudio(world)
}

/** A paid video, when its author sees it ready. */
async function published(name: 'h264-360p-62s.mp4' | 'h264-65s.mp4') {
  const enqueue = vi.spyOn(world.deps.jobs, 'enqueue')
  const id = await upload(world, studio.creator, fixture(name), 'a.mp4')
  const postId = await studio.post([
    ['type', '3'],
    ['price', '500'],
    ['has_video_file', id],
  ])
  const [media] = await studio.settled(postId)
  const hls = expect.stringContaining(`/api/media/${id}/hls/main.m3u8?exp=`) as string
  expect(media).toMatchObject({ kind: 'video', state: 'ready', hls })
  const jobs = enqueue.mock.calls.map((it) => it[1])
  enqueue.mockRestore()
  return { id, postId, jobs }
}

const read = async (id: string, name: string) =>
  (await studio.file(id, `hls/${name}`, studio.creator)).body.replaceAll(/[?]exp=\d+&sig=[\w-]+/g, '')
const namedIn = (playlist: string) =>
  playlist
    .split('\n')
    .map((line) => /URI="([^"]+)"/.exec(line)?.[1] ?? line)
    .filter((line) => line !== '' && !line.startsWith('#'))
const stepsOf = async (id: string) => (await findMedia(world.deps.db, id))?.made.steps
const bandwidthsIn = (main: string) => [...main.matchAll(/[:,]BANDWIDTH=(\d+)/g)].map((it) => Number(it[1]))

describe.skipIf(!hasFfmpeg)('with ffmpeg', () => {
  beforeAll(() => open(process.env['PATH'] ?? ''))
  afterAll(() => world.close())

  test('a step below the source is added, costs less than it, and is guarded as the MP4 is', async () => {
    const { id, postId, jobs } = await published('h264-360p-62s.mp4')
    expect(jobs).toContain('media.ladder')
    await vi.waitUntil(async () => (await stepsOf(id)) !== undefined, { timeout: 20_000, interval: 100 })
    expect(await stepsOf(id)).toEqual([240])
    const main = await read(id, 'main.m3u8')
    expect(namedIn(main)).toEqual(['240p.m3u8', 'video.m3u8'])
    expect(main).toMatch(/RESOLUTION=42\dx240\n240p/)
    const [smaller, source] = bandwidthsIn(main)
    expect(smaller).toBeLessThan((source ?? 0) * 0.86)
    const files = ['240p.m3u8', ...namedIn(await read(id, '240p.m3u8'))]
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

  test('a video no larger than the lowest step stays as it is', async () => {
    const { id, jobs } = await published('h264-65s.mp4')
    expect(jobs).not.toContain('media.ladder')
    expect(namedIn(await read(id, 'main.m3u8'))).toEqual(['video.m3u8'])
  })
})

describe('with an ffmpeg that fails', () => {
  beforeAll(async () => {
    const program = path.join(bin, 'ffmpeg')
    await writeFile(program, '#!/bin/sh\n[ "$1" = -version ] && exit 0\nexit 1\n')
    await chmod(program, 0o755)
    await open(`${bin}:/usr/bin:/bin`)
  })
  afterAll(() => world.close())

  test('the video keeps its one rendition, and is not tried again', async () => {
    const { id, jobs } = await published('h264-360p-62s.mp4')
    expect(jobs).toContain('media.ladder')
    const states = async () =>
      (
        await world.database.executeSql(
          `select state, retry_count from pgboss.job where name = 'media.ladder'`,
        )
      ).rows
    await vi.waitFor(async () => expect(await states()).toEqual([{ state: 'completed', retry_count: 0 }]), {
      timeout: 15_000,
      interval: 100,
    })
    expect(await stepsOf(id)).toBeUndefined()
    expect(namedIn(await read(id, 'main.m3u8'))).toEqual(['video.m3u8'])
    expect((await studio.file(id, 'hls/1.m4s', studio.creator)).statusCode).toBe(200)
  })
})

describe('without ffmpeg', () => {
  beforeAll(() => open('/nowhere'))
  afterAll(() => world.close())

  test('no job is enqueued', async () => {
    const { id, jobs } = await published('h264-360p-62s.mp4')
    expect(jobs.filter((it) => it.startsWith('media.'))).toEqual(['media.film'])
    expect(namedIn(await read(id, 'main.m3u8'))).toEqual(['video.m3u8'])
  })
})
