// Pictures do not wait for videos, and the videos of several people alternate.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openPostgres } from './adapters/database/database.ts'
import { assemble, type Deps } from './deps.ts'
import { migrationsFolder } from './store/database.ts'
import { findMedia } from './store/media/media.ts'
import { addPost, type Member, signUp, upload } from './testing/people/members.ts'
import { fixture, jpeg } from './testing/pictures.ts'
import { type DatabaseKind, databases, openWorld, type World } from './testing/world.ts'
import { startWorker } from './worker.ts'
import { makeNextVideo, makeNextLadder } from './modules/media/turns.ts'

/** A media maker that finishes pictures at once and videos on command; it records its calls. */
function gatedMaker() {
  const underWork = new Map<string, () => void>()
  const begun: string[] = []
  let open = false
  const video = { width: 1, height: 1, duration: null, animated: false }
  return {
    /** Ids of videos in the order in which they were begun. */
    begun,
    /** Ids of videos that are being made now. */
    underWork: () => [...underWork.keys()],
    /** Ends the video that was begun first. */
    finishOne() {
      const [first] = underWork
      if (!first) throw new Error('no video is being made')
      underWork.delete(first[0])
      first[1]()
    },
    /** Makes all further videos end at once. */
    open() {
      open = true
      for (const end of underWork.values()) end()
    },
    async make(task: { kind: 'image' | 'video'; input: string }) {
      const id = path.basename(task.input)
      if (task.kind === 'video') {
        begun.push(id)
        if (!open) await new Promise<void>((done) => underWork.set(id, done))
      }
      const made = { widths: [480], poster: false, blurred: true }
      return { is: 'made', media: { ...video, made } } as const
    },
    makeLadder: () => Promise.reject(new Error('unexpected request for smaller renditions')),
    close() {},
  }
}

const opened: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** `servers` servers on one database and folder, without running workers. */
async function openServers(kind: DatabaseKind, servers: number) {
  const mediaMaker = gatedMaker()
  const world = await openWorld({ database: kind, parts: { mediaMaker } })
  const all: Deps[] = [world.deps]
  opened.push(async () => {
    mediaMaker.open()
    await world.close()
  })
  for (let i = 1; i < servers; i++) {
    const database = await openPostgres(defined(world.postgres?.url), migrationsFolder)
    const { settings } = world.deps
    const { dataDir } = world
    const deps = await assemble({ settings, database, dataDir, mediaMaker })
    opened.push(() => deps.close().catch(() => undefined))
    all.push(deps)
  }
  const startWorkers = async () => {
    for (const deps of all) {
      await startWorker(deps, (error) => console.error(error))
    }
  }
  return { world, mediaMaker, startWorkers }
}

async function queueFilm(world: World, author: Member): Promise<string> {
  const id = await upload(world, author, fixture('h264.mp4'), 'a.mp4')
  const reply = await addPost(world, author, [
    ['type', '1'],
    ['has_video_file', id],
  ])
  expect(reply.statusCode).toBe(200)
  return id
}

async function queuePicture(world: World, author: Member): Promise<string> {
  const id = await upload(world, author, await jpeg(), 'a.jpg')
  await addPost(world, author, [
    ['type', '1'],
    ['has_image_file[]', id],
  ])
  return id
}

const stateOf = async ({ deps }: World, id: string) => (await findMedia(deps.db, id))?.state

const setups = databases.flatMap((it) =>
  (it.kind === 'postgres' ? [1, 2] : [1]).map((servers) => ({ ...it, servers })),
)

describe.each(setups)('$servers server(s) on $kind', ({ kind, available, servers }) => {
  test.skipIf(!available)(
    'of five films of one person and a film and a picture of another, the picture is made at once and the film second',
    async () => {
      const { world, mediaMaker, startWorkers } = await openServers(kind, servers)
      const [many, one] = [await signUp(world), await signUp(world)]
      const films = new Set<string>()
      for (let i = 0; i < 5; i++) films.add(await queueFilm(world, many))
      const film = await queueFilm(world, one)
      await startWorkers()
      await expect.poll(() => mediaMaker.underWork().length > 0).toBeTruthy()
      const picture = await queuePicture(world, one)
      world.deps.jobs.wake('media.picture')
      await expect.poll(() => stateOf(world, picture)).toBe('ready')
      const ofMany = () => mediaMaker.underWork().filter((id) => films.has(id)).length
      for (let done = 0; done < 6; done++) {
        await expect.poll(() => mediaMaker.underWork().length > 0).toBeTruthy()
        expect(ofMany()).toBeLessThanOrEqual(1)
        mediaMaker.finishOne()
      }
      await expect.poll(() => stateOf(world, film)).toBe('ready')
      expect(mediaMaker.begun.indexOf(film)).toBeLessThanOrEqual(1)
      expect(new Set(mediaMaker.begun)).toEqual(new Set([...films, film]))
      expect(mediaMaker.begun).toHaveLength(6)
    },
    60_000,
  )
})

describe('turns', () => {
  async function openQuiet(maker: Partial<ReturnType<typeof gatedMaker>> & { makeLadder(): Promise<never> }) {
    const world = await openWorld({ parts: { mediaMaker: { ...gatedMaker(), ...maker } } })
    opened.push(() => world.close())
    return world
  }
  const made = { widths: [], poster: true, blurred: true, hls: true }
  const video = { width: 1, height: 1, duration: 70, animated: false, made }

  test('alternate between people: one video of each, then the second of each', async () => {
    const begun: string[] = []
    const make = async ({ input }: { input: string }) => {
      begun.push(path.basename(input))
      return { is: 'made', media: video } as const
    }
    const world = await openQuiet({ make, makeLadder: () => Promise.reject(new Error('none')) } as never)
    const [first, second] = [await signUp(world), await signUp(world)]
    const firstVideos = [
      await queueFilm(world, first),
      await queueFilm(world, first),
      await queueFilm(world, first),
    ]
    const secondVideos = [await queueFilm(world, second), await queueFilm(world, second)]
    for (let i = 0; i < 5; i++) await makeNextVideo(world.deps)
    expect(begun).toEqual([firstVideos[0], secondVideos[0], firstVideos[1], secondVideos[1], firstVideos[2]])
  })

  test('a video whose process died is skipped for a moment, and retried', async () => {
    const begun: string[] = []
    let dies = true
    const make = async ({ input }: { input: string }) => {
      begun.push(path.basename(input))
      if (dies) throw new Error('the child died')
      return { is: 'made', media: video } as const
    }
    const world = await openQuiet({ make, makeLadder: () => Promise.reject(new Error('none')) } as never)
    const person = await signUp(world)
    const [broken, whole] = [await queueFilm(world, person), await queueFilm(world, person)]
    await expect(makeNextVideo(world.deps)).rejects.toThrow('the child died')
    dies = false
    await makeNextVideo(world.deps)
    await makeNextVideo(world.deps)
    expect([begun, await stateOf(world, broken)]).toEqual([[broken, whole], 'processing'])
    await world.database.executeSql(`update media set begun_at = begun_at - interval '2 seconds'`)
    await makeNextVideo(world.deps)
    expect([begun, await stateOf(world, broken)]).toEqual([[broken, whole, broken], 'ready'])
  })

  test('smaller renditions are made when no video waits for its conversion', async () => {
    let ladders = 0
    const make = async ({ output }: { output: string }) => {
      await mkdir(path.join(output, 'hls'))
      for (const it of ['play.mp4', 'hls/main.m3u8']) await writeFile(path.join(output, it), it)
      return { is: 'made', media: video, ladder: true } as const
    }
    const makeLadder = async () => {
      ladders++
      return { steps: [] }
    }
    const world = await openQuiet({ make, makeLadder } as never)
    const person = await signUp(world)
    const first = await queueFilm(world, person)
    await makeNextVideo(world.deps)
    expect(await stateOf(world, first)).toBe('ready')
    await queueFilm(world, await signUp(world))
    await makeNextLadder(world.deps)
    expect(ladders).toBe(0)
    await makeNextVideo(world.deps)
    await makeNextLadder(world.deps)
    await makeNextLadder(world.deps)
    await makeNextLadder(world.deps)
    expect(ladders).toBe(2)
  })
})
