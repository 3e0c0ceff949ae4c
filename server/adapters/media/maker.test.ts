// The child processes for media: each has a time it must be done in.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { jpeg } from '#server/testing/pictures.ts'
import { childMediaMaker } from './maker.ts'

test('work that takes too long is cut with its process, and the next work gets a new one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
  const input = path.join(folder, 'a.jpg')
  await writeFile(input, await jpeg(200, 200))
  const task = { kind: 'image', mime: 'image/jpeg', input, output: folder, thumbnail: undefined } as const
  const hasty = childMediaMaker({ patience: { image: 1, video: 1, ladder: 1 } })
  await expect(hasty.make(task)).rejects.toThrow('SIGKILL')
  hasty.close()
  const patient = childMediaMaker()
  expect((await patient.make(task)).is).toBe('made')
  expect((await patient.make({ ...task, input: path.join(folder, 'none.jpg') })).is).toBe('refused')
  patient.close()
  await rm(folder, { recursive: true })
})

test('work that takes too much memory ends its process', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-make-'))
  const input = path.join(folder, 'a.jpg')
  await writeFile(input, await jpeg(3000, 3000))
  const poor = childMediaMaker({ memory: 20 * 1024 * 1024 })
  const task = { kind: 'image', mime: 'image/jpeg', input, output: folder, thumbnail: undefined } as const
  await expect(poor.make(task)).rejects.toThrow('media child ended with 3')
  poor.close()
  await rm(folder, { recursive: true })
})
