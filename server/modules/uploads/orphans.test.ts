// The sweep of the uploads' folder: files without a row go after a day; everything else stays.
import { readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { claimUpload } from '#server/store/media/uploads.ts'
import { beginUpload } from '#server/testing/media/uploads.ts'
import { ownerInWorld } from '#server/testing/people/owner-in-world.ts'
import { sweep, UNHELD_LIFE } from './expiry.ts'

const SECOND = 1000
const DAY = 24 * 3600 * SECOND

const setup = ownerInWorld()
beforeEach(() => {
  setup.world.clock.now = Math.floor(setup.world.clock.now / SECOND) * SECOND
})

/** A file in the uploads' folder, `age` ms old. */
async function put(name: string, age: number): Promise<string> {
  const file = path.join(setup.world.deps.files.uploads, name)
  await writeFile(file, 'bytes')
  await setAge(name, age)
  return name
}

async function setAge(name: string, age: number): Promise<void> {
  const at = (setup.world.clock.now - age) / SECOND
  await utimes(path.join(setup.world.deps.files.uploads, name), at, at)
}

const left = () => readdir(setup.world.deps.files.uploads)

test('a file without a row is removed when it is older than a day, and not before', async () => {
  const [young, old] = [await put(newId(), DAY), await put(newId(), DAY + SECOND)]
  await sweep(setup.world.deps)
  expect(await left()).toContain(young)
  expect(await left()).not.toContain(old)
})

test('more files without a row than one page of the query are removed in one sweep', async () => {
  const names = await Promise.all(Array.from({ length: 1001 }, () => put(newId(), 2 * DAY)))
  await sweep(setup.world.deps)
  const rest = new Set(await left())
  expect(names.filter((name) => rest.has(name))).toEqual([])
})

test('the file of an upload stays, however long ago it was written', async () => {
  const id = await beginUpload(setup.world, setup.owner)
  await setAge(id, 30 * DAY)
  await sweep(setup.world.deps)
  expect(await left()).toContain(id)
})

test('the file an expired upload left behind is removed', async () => {
  const id = await beginUpload(setup.world, setup.owner)
  setup.world.clock.now += UNHELD_LIFE + SECOND
  await sweep(setup.world.deps)
  await put(id, 2 * DAY)
  await sweep(setup.world.deps)
  expect(await left()).not.toContain(id)
})

test('a file whose name is no upload id is left alone', async () => {
  const names = ['notes.txt', `${newId()}.part`, `x${newId()}`, 'g'.repeat(36)]
  for (const name of names) await put(name, 30 * DAY)
  await sweep(setup.world.deps)
  expect(await left()).toEqual(expect.arrayContaining(names))
})

test('an expired upload loses its file at once, however new the file is', async () => {
  const id = await beginUpload(setup.world, setup.owner)
  setup.world.clock.now += UNHELD_LIFE + SECOND
  await setAge(id, 0)
  await sweep(setup.world.deps)
  expect(await left()).not.toContain(id)
})

test('one sweep expires more uploads than one query takes, and removes all their files', async () => {
  const ids = Array.from({ length: 501 }, () => newId())
  for (const id of ids) {
    await claimUpload(
      setup.world.deps.db,
      { id, ownerId: setup.owner.id, length: 5, metadata: {} },
      setup.world.clock.now,
    )
  }
  setup.world.clock.now += UNHELD_LIFE + SECOND
  for (const id of ids) await put(id, 0)
  await sweep(setup.world.deps)
  const rest = new Set(await left())
  expect(ids.filter((id) => rest.has(id))).toEqual([])
})
