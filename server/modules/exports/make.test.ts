// The export job: interruptions, concurrent runs, expiry, and leftover files.
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { exportsIn, fullDisk } from '#server/testing/people/exported.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'
import { makeExport, removeExpiredExports } from './make.ts'

let world: World
let person: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  person = await signUp(world)
})

const { ask, idOf, make, state } = exportsIn(() => world)

describe('the export job', () => {
  test('runs again after an interruption by a shutdown, and leaves no temporary file', async () => {
    await ask(person)
    const stopping = { ...fullDisk(world.deps), draining: { now: true, soon: true } }
    await expect(makeExport(stopping, await idOf(person))).rejects.toThrow('the disk is full')
    expect((await state(person)).export.is).toBe('waiting')
    expect(await readdir(world.deps.storage.scratch.folder)).toEqual([])
    await make(person)
    expect((await state(person)).export.is).toBe('ready')
  })

  test('makes one zip and one email when it runs several times', async () => {
    await ask(person)
    await Promise.all([make(person), make(person), make(person)])
    await make(person)
    expect(await emailsTo(world, person.email)).toHaveLength(1)
  })

  test('is marked as failed if it has not finished within a day', async () => {
    await ask(person)
    world.clock.now += 24 * 3600_000 + 1
    await removeExpiredExports(world.deps)
    expect((await state(person)).export.is).toBe('failed')
  })

  test('a file without a row is removed after an hour', async () => {
    const orphan = path.join(storedAt(world, 'exports'), `${newId()}.zip`)
    await writeFile(orphan, 'x')
    await utimes(orphan, world.clock.now / 1000, world.clock.now / 1000)
    await removeExpiredExports(world.deps)
    expect((await stat(orphan)).size).toBe(1)
    const old = (world.clock.now - 3600_001) / 1000
    await utimes(orphan, old, old)
    await removeExpiredExports(world.deps)
    await expect(stat(orphan)).rejects.toThrow('ENOENT')
  })
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  test.skipIf(!available)('ten concurrent requests create one export', async () => {
    const own = await openWorld({ database: kind })
    const member = await signUp(own)
    await validate(own, member)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call(own, member, 'POST', '/user/export')),
    )
    expect(replies.map((it) => it.statusCode)).toEqual(replies.map(() => 200))
    const { rows } = await own.database.executeSql('select id from data_exports')
    expect(rows).toHaveLength(1)
    await makeExport(own.deps, await exportsIn(() => own).idOf(member))
    expect((await call(own, member, 'GET', '/user/export')).json().export.is).toBe('ready')
    await own.close()
  })
})
