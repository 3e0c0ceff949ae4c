// Forged videos that refer to other files: no decoder reads those files.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Parts } from '#server/deps.ts'
import { findMedia } from '#server/store/media/media.ts'
import { addPost, call, errorOf, postIdOf, signUp, upload } from '#server/testing/people/members.ts'
import { type Forged, forgedFiles } from '#server/testing/media/forged.ts'
import { mediaMakerOnPath, recogniseAs } from '#server/testing/media/makers.ts'
import { jobsDone } from '#server/testing/jobs.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { openStudio } from '#server/testing/people/studio.ts'
import { sampleOf } from '#server/testing/sample.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'

type Outcome = readonly [posted: string, state: string, played: number | 'its own bytes']

interface ForgedFiles {
  readonly world: World
  readonly forged: readonly Forged[]
  /** Uploads a file as a video, posts it, waits for its processing, and plays it. */
  outcomeOf(it: Forged): Promise<Outcome>
}

/** Adds a paid video, and forges files that refer to it. */
async function openForgedFiles(parts: Partial<Parts>): Promise<ForgedFiles> {
  const world = await openWorld({ worker: true, parts })
  const studio = await openStudio(world)
  const attacker = await signUp(world)
  const paid = await upload(world, studio.creator, fixture('h264.mp4'), 'a.mp4')
  const paidFields = [
    ['type', '3'],
    ['price', '5000'],
    ['has_video_file', paid],
  ] as const
  await studio.processedMedia(await studio.post(paidFields))
  expect((await studio.file(paid, 'play', studio.creator)).statusCode).toBe(200)
  expect((await studio.file(paid, 'play', attacker)).statusCode).toBe(403)
  const relative = `../media/${paid}/play.mp4`
  const absolute = `${storedAt(world, 'media', paid)}/play.mp4`
  const stateOf = async (id: string) => (await findMedia(world.deps.db, id))?.state ?? 'none'
  const settled = async (postId: string, id: string) => {
    await call(world, attacker, 'POST', `/post/release-uploaded/${postId}`)
    await jobsDone(world, 'post.released')
    const done = async () => ['ready', 'failed'].includes(await stateOf(id))
    await expect.poll(done).toBeTruthy()
  }
  return {
    world,
    forged: forgedFiles({ relative, absolute }),
    async outcomeOf({ name, bytes }) {
      const id = await upload(world, attacker, bytes, name)
      const thumbnail = { name: 't.jpg', bytes: await jpeg(640, 360) }
      const fields = [
        ['type', '1'],
        ['has_video_file', id],
        ['video_thumbnail_file', thumbnail],
      ] as const
      const reply = await addPost(world, attacker, fields)
      const posted = reply.statusCode < 300
      if (posted) await settled(postIdOf(reply), id)
      const { statusCode, rawPayload } = await studio.file(id, 'play', attacker)
      const own = rawPayload.includes(bytes.subarray(100_000, 100_064)) ? 'its own bytes' : statusCode
      return [
        posted ? 'posted' : errorOf(reply).code,
        await stateOf(id),
        statusCode === 200 ? own : statusCode,
      ]
    },
  }
}

const mimes = ['video/mp2t', 'video/mp4', 'video/matroska'] as const

/** Whether a forged file is a sound video but for one reference, so that it plays without what it refers to. */
const isPlayable = ({ name }: Forged) => /^(alias|url)/.test(name)

/** Outcomes by the names of the files, which are uploaded one after the other. */
async function outcomesOf(setup: ForgedFiles, files: readonly Forged[]): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {}
  for (const it of files) outcomes[it.name] = await setup.outcomeOf(it)
  return outcomes
}

const refused = (files: readonly Forged[]) =>
  Object.fromEntries(files.map(({ name }) => [name, ['unsupported_media', 'none', 404]]))

describe('a forged video that refers to a paid video', () => {
  let setup: ForgedFiles
  let wrong: (typeof mimes)[number] | undefined
  beforeAll(async () => {
    setup = await openForgedFiles({ sniff: recogniseAs(() => wrong) })
  })
  afterAll(() => setup.world.close())
  afterEach(() => (wrong = undefined))

  test('is not recognized as a video: its post is refused, and no file plays', async () => {
    expect(await outcomesOf(setup, setup.forged)).toEqual(refused(setup.forged))
  })

  test.each(mimes)(
    'is read by the reader of %s only if recognized so, and plays its own bytes or fails',
    async (mime) => {
      wrong = mime
      // Each forged file with one of the kinds; the playable ones with the kind that plays them, too.
      const sample = new Set(sampleOf(setup.forged, mimes.length, mimes.indexOf(mime)))
      const files = setup.forged.filter((it) => sample.has(it) || (mime === 'video/mp4' && isPlayable(it)))
      const own = mime === 'video/mp4' ? ['posted', 'ready', 'its own bytes'] : ['posted', 'failed', 404]
      const expected = files.map((it) => [it.name, isPlayable(it) ? own : ['posted', 'failed', 404]])
      expect(await outcomesOf(setup, files)).toEqual(Object.fromEntries(expected))
    },
  )
})

describe('a forged video that refers to a paid video, without ffmpeg', () => {
  let setup: ForgedFiles
  beforeAll(async () => {
    setup = await openForgedFiles({ mediaMaker: mediaMakerOnPath('/nowhere') })
  })
  afterAll(() => setup.world.close())

  test('is not recognized as a video: its post is refused, and no file plays', async () => {
    expect(await outcomesOf(setup, setup.forged)).toEqual(refused(setup.forged))
  })
})
