// Media processes: their limits of time and memory, and fallbacks for broken files.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isInstalled } from '#server/testing/programs.ts'
import { fixture, fixturePath, jpeg } from '#server/testing/pictures.ts'
import { openMediaMaker } from './maker.ts'

test('a process that exceeds its time limit is ended, and the next task gets a new one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
  const [input, pipe] = [path.join(folder, 'a.jpg'), path.join(folder, 'endless.jpg')]
  await writeFile(input, await jpeg(40, 40))
  // Reading a pipe that has no writer never ends, however late a busy machine notices the limit.
  execFileSync('mkfifo', [pipe])
  const task = { kind: 'image', mime: 'image/jpeg', input, output: folder, thumbnail: undefined } as const
  const impatient = openMediaMaker({ timeouts: { image: 1, video: 1, ladder: 1 } })
  await expect(impatient.make({ ...task, input: pipe })).rejects.toThrow('SIGKILL')
  impatient.close()
  const patient = openMediaMaker()
  expect((await patient.make(task)).is).toBe('made')
  expect((await patient.make({ ...task, input: path.join(folder, 'none.jpg') })).is).toBe('refused')
  patient.close()
  await rm(folder, { recursive: true })
})

test('a picture whose process lost its folder, as at a shutdown, is not refused: the attempt fails', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
  const [input, scratch] = [path.join(folder, 'a.jpg'), path.join(folder, 'scratch')]
  await writeFile(input, await jpeg(40, 40))
  const task = { kind: 'image', mime: 'image/jpeg', input, output: folder, thumbnail: undefined } as const
  const maker = openMediaMaker({ scratch })
  expect((await maker.make(task)).is).toBe('made')
  // The process that was started in advance for the next picture has its folder here.
  expect(await readdir(scratch)).toHaveLength(1)
  await rm(scratch, { recursive: true })
  await expect(maker.make(task)).rejects.toThrow('ENOENT')
  maker.close()
  await rm(folder, { recursive: true })
})

/** Interlaced: all 400 MB of its pixels are decoded at once. */
const large = () =>
  sharp({ create: { width: 10_000, height: 9990, channels: 4, background: '#3338' } })
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer()

test('a picture that needs more memory than the limit is refused; a process without memory to start fails', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
  const input = path.join(folder, 'a.png')
  await writeFile(input, await large())
  const task = { kind: 'image', mime: 'image/png', input, output: folder, thumbnail: undefined } as const
  const small = openMediaMaker({ memory: 800 * 1024 * 1024 })
  expect(await small.make(task)).toEqual({ is: 'refused', failure: 'too_large' })
  small.close()
  const tiny = openMediaMaker({ memory: 60 * 1024 * 1024 })
  await expect(tiny.make(task)).rejects.toThrow('out of memory')
  tiny.close()
  await rm(folder, { recursive: true })
})

/** A recording whose index at the end is zeroed: mediabunny searches for the next element forever. */
function endless(): Buffer {
  const bytes = fixture('h264.mkv')
  return bytes.fill(0, bytes.lastIndexOf('1c53bb6b', undefined, 'hex'))
}

test.skipIf(!isInstalled('ffmpeg'))(
  'a video that a reader cannot finish is converted by another process',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
    const [input, output] = [path.join(folder, 'a.mkv'), path.join(folder, 'made')]
    await writeFile(input, endless())
    await mkdir(output)
    const maker = openMediaMaker({ copyBase: 4000 })
    const task = { kind: 'video', mime: 'video/matroska', input, output, thumbnail: undefined } as const
    expect(await maker.make(task)).toMatchObject({
      is: 'made',
      media: { duration: expect.any(Number), made: { poster: true } },
    })
    maker.close()
    await rm(folder, { recursive: true })
  },
)

test('a video that cannot be cut into segments has only its MP4', async () => {
  const output = path.join(await mkdtemp(path.join(tmpdir(), 'todoke-make-')), 'made')
  await mkdir(output)
  const maker = openMediaMaker()
  const input = fixturePath('late-sound.mp4')
  const answer = await maker.make({ kind: 'video', mime: 'video/mp4', input, output, thumbnail: undefined })
  expect(answer).toMatchObject({ is: 'made', media: { duration: 524 } })
  expect(await readdir(output)).toContain('play.mp4')
  expect(await readdir(output)).not.toContain('hls')
  maker.close()
  await rm(path.dirname(output), { recursive: true })
})
