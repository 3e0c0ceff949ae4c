// On a full or almost full disk, uploads are refused and other requests work.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createDiskRoom } from './adapters/files/disk-room.ts'
import { findMedia } from './store/media/media.ts'
import { makeMedia } from './modules/media/make.ts'
import { makeNextVideo } from './modules/media/turns.ts'
import { addAwaited, chunksOf, sendChunk } from './testing/media/chunks.ts'
import {
  addPost,
  call,
  errorOf,
  head,
  noise,
  patch,
  postIdOf,
  type Reply,
  signUp,
  upload,
} from './testing/people/members.ts'
import { fixture, jpeg } from './testing/pictures.ts'
import { beginUpload, createUpload, offsetOf, storedBytes } from './testing/media/uploads.ts'
import { openWorld } from './testing/world.ts'

const statusOf = (reply: Reply) => [reply.statusCode, errorOf(reply).code, reply.headers['retry-after']]
const storageFull = [507, 'storage_full', '15']

const opened: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A test server whose free disk space the test sets. */
async function openMeasured() {
  const disk = { free: 10_000 }
  // Measured each time: normally a figure is cached for a second.
  const room = {
    isLow: async () => disk.free < 1000,
    fits: async (bytes: number) => disk.free - bytes >= 1000,
    async mustHave() {
      await createDiskRoom('/', 1000, async () => disk.free).mustHave()
    },
    floor: 1000,
    figures: async () => ({ free: disk.free, total: disk.free }),
  }
  const world = await openWorld({ parts: { room } })
  opened.push(() => world.close())
  return { world, disk }
}

describe('below the floor', () => {
  test('files are refused with storage_full on every endpoint; texts, likes and reading work', async () => {
    const { world, disk } = await openMeasured()
    const owner = await signUp(world)
    const picture = { name: 'a.jpg', bytes: await jpeg() }
    const id = await beginUpload(world, owner, 10)
    const chunked = await addAwaited(world, owner)
    disk.free = 999
    expect(statusOf(await createUpload(world, owner, { 'upload-length': '10' }))).toEqual(storageFull)
    expect(statusOf(await patch(world, owner, id, 0, noise(10)))).toEqual(storageFull)
    expect((await head(world, owner, id)).headers['upload-offset']).toBe('0')
    const inline = [
      ['type', '1'],
      ['image_file[]', picture],
    ] as const
    expect(statusOf(await addPost(world, owner, inline))).toEqual(storageFull)
    const [chunk] = chunksOf(noise(100))
    if (chunk) expect(statusOf(await sendChunk(world, owner, chunked.videoId, chunk))).toEqual(storageFull)
    const textPost = await addPost(world, owner, [
      ['type', '1'],
      ['content', '言葉だけ'],
    ])
    expect(textPost.statusCode).toBe(200)
    const postId = postIdOf(textPost)
    expect((await call(world, owner, 'POST', `/post/release-uploaded/${postId}`)).statusCode).toBe(200)
    expect((await call(world, owner, 'GET', `/posts/${postId}`)).statusCode).toBe(200)
    expect((await call(world, owner, 'PUT', `/posts/${postId}/like`)).statusCode).toBe(200)
    const health = await call(world, null, 'GET', '/health')
    expect([health.statusCode, health.json().room]).toEqual([200, 'low'])
    disk.free = 1000
    expect((await patch(world, owner, id, 0, noise(10))).statusCode).toBe(204)
    expect((await addPost(world, owner, inline)).statusCode).toBe(200)
    expect((await call(world, null, 'GET', '/health')).json().room).toBe('ok')
  })

  test('a chunk in progress stops, its received bytes remain, and it can be resumed', async () => {
    const { world, disk } = await openMeasured()
    const owner = await signUp(world)
    const bytes = noise(3_000_000)
    const id = await beginUpload(world, owner, bytes.length)
    const { deps } = world
    const body = async function* () {
      for (let at = 0; at < bytes.length; at += 100_000) {
        yield [bytes.subarray(at, at + 100_000)]
        if (at >= 1_000_000) disk.free = 0
      }
    }
    const port = {
      find: async () => undefined,
      setLength: nothing,
      touch: nothing,
      finish: nothing,
      remove: nothing,
    }
    const store = deps.uploadStore(port)
    await expect(
      store.append({ id, isDocument: false, numbered: false }, 0, bytes.length, body()),
    ).rejects.toMatchObject({
      code: 'ENOSPC',
    })
    const stored = Number(await offsetOf(world, owner, id))
    expect(stored).toBe(1_100_000)
    expect((await storedBytes(world, id)).equals(bytes.subarray(0, stored))).toBe(true)
    disk.free = 10_000
    expect((await patch(world, owner, id, stored, bytes.subarray(stored))).statusCode).toBe(204)
    expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
  })

  test('media are not processed, and no attempt is counted', async () => {
    const { world, disk } = await openMeasured()
    const owner = await signUp(world)
    const image = await upload(world, owner, await jpeg(), 'a.jpg')
    const film = await upload(world, owner, fixture('h264.mp4'), 'a.mp4')
    await addPost(world, owner, [
      ['type', '1'],
      ['has_image_file[]', image],
    ])
    await addPost(world, owner, [
      ['type', '1'],
      ['has_video_file', film],
    ])
    disk.free = 0
    await makeMedia(world.deps, image)
    await makeNextVideo(world.deps)
    for (const id of [image, film])
      expect(await findMedia(world.deps.db, id)).toMatchObject({ state: 'processing', attempts: 0 })
    disk.free = 10_000
    await makeMedia(world.deps, image)
    await makeNextVideo(world.deps)
    for (const id of [image, film])
      expect(await findMedia(world.deps.db, id)).toMatchObject({ state: 'ready', attempts: 1 })
  })
})

const nothing = () => Promise.resolve()

/** A small file system that a test can fill; undefined where mounting is not permitted. */
function smallDisk(): { folder: string; grow(): void } | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-disk-'))
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  try {
    mount('size=4m')
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  opened.push(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return { folder, grow: () => mount('remount,size=32m') }
}

test('on a full disk the written bytes remain, and the rest is accepted once there is space', async (context) => {
  const disk = smallDisk()
  if (!disk) return context.skip()
  const world = await openWorld({ parts: { dataDir: disk.folder } })
  opened.push(() => world.close())
  const owner = await signUp(world)
  const bytes = noise(6_000_000)
  const id = await beginUpload(world, owner, bytes.length)
  expect(statusOf(await patch(world, owner, id, 0, bytes))).toEqual(storageFull)
  const stored = Number(await offsetOf(world, owner, id))
  expect(stored).toBeGreaterThan(3_000_000)
  expect((await storedBytes(world, id)).equals(bytes.subarray(0, stored))).toBe(true)
  const inline = [
    ['type', '1'],
    ['image_file[]', { name: 'a.jpg', bytes: await jpeg(2000, 2000) }],
  ] as const
  expect(statusOf(await addPost(world, owner, inline))).toEqual(storageFull)
  expect(
    (
      await addPost(world, owner, [
        ['type', '1'],
        ['content', '言葉だけ'],
      ])
    ).statusCode,
  ).toBe(200)
  disk.grow()
  expect((await patch(world, owner, id, stored, bytes.subarray(stored))).statusCode).toBe(204)
  expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
  expect((await addPost(world, owner, inline)).statusCode).toBe(200)
})

test('free space is measured on the disk of the folder, and is low below the floor', async () => {
  expect(await createDiskRoom(tmpdir(), 1).isLow()).toBe(false)
  expect(await createDiskRoom(tmpdir(), 1e18).isLow()).toBe(true)
  expect(await createDiskRoom(tmpdir(), 0).isLow()).toBe(false)
  expect(await createDiskRoom(tmpdir(), 1).fits(1e18)).toBe(false)
})

test('the disk is measured at most once a second', async () => {
  let measured = 0
  const room = createDiskRoom('/', 10, async () => ++measured)
  for (let i = 0; i < 50; i++) await room.isLow()
  expect(measured).toBe(1)
})
