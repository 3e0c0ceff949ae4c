// The job that makes the zip: once, whatever cuts it or asks twice, and nothing is left lying about.
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { exportsIn, fullDisk } from '#server/testing/people/exported.ts'
import { prove } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { makeExport, reapExports } from './make.ts'

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

describe('the job', () => {
  test('that is cut by our stopping is done anew at the next start, and leaves nothing in passing', async () => {
    await ask(person)
    const stopping = { ...fullDisk(world.deps), draining: { now: true } }
    await expect(makeExport(stopping, await idOf(person))).rejects.toThrow('the disk is full')
    expect((await state(person)).export.is).toBe('waiting')
    expect(await readdir(world.deps.files.temporary)).toEqual([])
    await make(person)
    expect((await state(person)).export.is).toBe('ready')
  })

  test('done twice makes one zip and one email', async () => {
    await ask(person)
    await Promise.all([make(person), make(person), make(person)])
    await make(person)
    expect(await emailsTo(world, person.email)).toHaveLength(1)
  })

  test('that nobody finished within a day is given up', async () => {
    await ask(person)
    world.clock.now += 24 * 3600_000 + 1
    await reapExports(world.deps)
    expect((await state(person)).export.is).toBe('failed')
  })

  test('a file no row knows is removed after an hour', async () => {
    const lost = path.join(world.deps.files.exports, `${newId()}.zip`)
    await writeFile(lost, 'x')
    await utimes(lost, world.clock.now / 1000, world.clock.now / 1000)
    await reapExports(world.deps)
    expect((await stat(lost)).size).toBe(1)
    const old = (world.clock.now - 3600_001) / 1000
    await utimes(lost, old, old)
    await reapExports(world.deps)
    await expect(stat(lost)).rejects.toThrow('ENOENT')
  })
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  test.skipIf(!available)('ten requests at once are one export', async () => {
    const own = await openWorld({ database: kind })
    const asker = await signUp(own)
    await prove(own, asker)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call(own, asker, 'POST', '/user/export')),
    )
    expect(replies.map((it) => it.statusCode)).toEqual(replies.map(() => 200))
    const { rows } = await own.database.executeSql('select id from data_exports')
    expect(rows).toHaveLength(1)
    await makeExport(own.deps, await exportsIn(() => own).idOf(asker))
    expect((await call(own, asker, 'GET', '/user/export')).json().export.is).toBe('ready')
    await own.close()
  })
})
