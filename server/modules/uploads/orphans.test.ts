// The sweep of the uploads folder removes files without a row after a day.
import { readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { claimUpload } from '#server/store/media/uploads.ts'
import { beginUpload } from '#server/testing/media/uploads.ts'
import { ownerInWorld } from '#server/testing/people/owner-in-world.ts'
import { storedAt } from '#server/testing/world.ts'
import { removeOldUploads, UNHELD_LIFE } from './expiry.ts'

const SECOND = 1000
const DAY = 24 * 3600 * SECOND

const setup = ownerInWorld()
beforeEach(() => {
  setup.world.clock.now = Math.floor(setup.world.clock.now / SECOND) * SECOND
})

/** Writes a file into the folder of uploads, `age` ms old. @returns its name */
async function addFile(name: string, age: number): Promise<string> {
  const file = path.join(storedAt(setup.world, 'uploads'), name)
  await writeFile(file, 'bytes')
  await setAge(name, age)
  return name
}

async function setAge(name: string, age: number): Promise<void> {
  const at = (setup.world.clock.now - age) / SECOND
  await utimes(path.join(storedAt(setup.world, 'uploads'), name), at, at)
}

const listFiles = () => readdir(storedAt(setup.world, 'uploads'))

test('a file without a row is removed when it is older than a day, and not before', async () => {
  const [young, old] = [await addFile(newId(), DAY), await addFile(newId(), DAY + SECOND)]
  await removeOldUploads(setup.world.deps)
  expect(await listFiles()).toContain(young)
  expect(await listFiles()).not.toContain(old)
})

test('more files without a row than one page of the query are removed in one sweep', async () => {
  const names = await Promise.all(Array.from({ length: 1001 }, () => addFile(newId(), 2 * DAY)))
  await removeOldUploads(setup.world.deps)
  const remaining = new Set(await listFiles())
  expect(names.filter((name) => remaining.has(name))).toEqual([])
})

test('the file of an upload stays, however old it is', async () => {
  const id = await beginUpload(setup.world, setup.owner)
  await setAge(id, 30 * DAY)
  await removeOldUploads(setup.world.deps)
  expect(await listFiles()).toContain(id)
})

test('a file that an expired upload has left is removed', async () => {
  const id = await beginUpload(setup.world, setup.owner)
  setup.world.clock.now += UNHELD_LIFE + SECOND
  await removeOldUploads(setup.world.deps)
  await addFile(id, 2 * DAY)
  await removeOldUploads(setup.world.deps)
  expect(await listFiles()).not.toContain(id)
})

test('a file whose name is no upload id stays', async () => {
  const names = ['notes.txt', `${newId()}.part`, `x${newId()}`, 'g'.repeat(36)]
  for (const name of names) await addFile(name, 30 * DAY)
  await removeOldUploads(setup.world.deps)
  expect(await listFiles()).toEqual(expect.arrayContaining(names))
})

test('the file of an expired upload is removed at once, however new it is', async () => {
  const id = await beginUpload(setup.world, setup.owner)
  setup.world.clock.now += UNHELD_LIFE + SECOND
  await setAge(id, 0)
  await removeOldUploads(setup.world.deps)
  expect(await listFiles()).not.toContain(id)
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
  for (const id of ids) await addFile(id, 0)
  await removeOldUploads(setup.world.deps)
  const remaining = new Set(await listFiles())
  expect(ids.filter((id) => remaining.has(id))).toEqual([])
})
