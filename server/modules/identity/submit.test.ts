// Submission of an identity check: exactly once, with sealed files and no plain ones.
import { readdir, readFile, stat } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import {
  requestPromptsAs,
  documents,
  prepared,
  submit,
  submitted,
  uploadDocument,
} from '#server/testing/people/identity.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, errorOf, head, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'
import { removePlainUploads, sweepIdentity } from './clear.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a check', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const count = async (table: string) =>
      Number(
        ((await world.database.executeSql(`select count(*)::int n from ${table}`)).rows[0] as { n: number })
          .n,
      )
    const stateOf = async (as: Member) => (await call(world, as, 'GET', '/identity')).json().state
    const queuedEmails = () => count('letters')

    test('is stored with sealed files, and its plain files are removed', async () => {
      const person = await signUp(world)
      const files = await documents()
      const body = await prepared(world, person, files)
      const before = await queuedEmails()
      const reply = await submit(world, person, body)
      expect(reply.statusCode).toBe(200)
      expect(await stateOf(person)).toEqual({ is: 'submitted', check: reply.json().data })
      for (const [part, bytes] of Object.entries(files)) {
        const id = body[part as keyof typeof files].upload_id
        const stored = await readFile(storedAt(world, 'identity', id))
        expect(stored.includes(bytes.subarray(0, 32))).toBe(false)
        expect((await stat(storedAt(world, 'identity', id))).mode & 0o777).toBe(0o600)
        await expect(stat(storedAt(world, 'identity-uploads', id))).rejects.toThrow('ENOENT')
        expect((await head(world, person, id)).statusCode).toBe(404)
      }
      expect(await queuedEmails()).toBe(before + 1)
    })

    test('sent again with its key gets the same reply, also concurrently and after its uploads are removed', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const key = newId()
      const before = await count('identity_checks')
      const [one, two] = await Promise.all([
        submit(world, person, body, key),
        submit(world, person, body, key),
      ])
      const again = await submit(world, person, body, key)
      // One of two concurrent requests may have to be repeated; a repeated one gets the first reply.
      const replies = [one, two, again].filter((it) => it?.statusCode === 200).map((it) => it?.json())
      expect(replies.length).toBeGreaterThanOrEqual(2)
      expect(new Set(replies.map((it) => JSON.stringify(it))).size).toBe(1)
      for (const it of [one, two]) expect([200, 503, 422]).toContain(it?.statusCode)
      expect(await count('identity_checks')).toBe(before + 1)
      // Its sealed files can still be opened.
      const { rows } = await world.database.executeSql(
        `select f.id, f.sealed_key as key from identity_files f join identity_checks c on c.id = f.check_id where c.idempotency_key = '${key}'`,
      )
      for (const { id, key: sealedKey } of rows as { id: string; key: string }[])
        await world.deps.sealed.check(`identity/${id}`, sealedKey, id)
      expect(rows).toHaveLength(3)
    })

    test('sent twice at once with different keys is stored once, and a later one is a conflict', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const replies = await Promise.all([submit(world, person, body), submit(world, person, body)])
      expect(replies.map((it) => it.statusCode).toSorted()[0]).toBe(200)
      expect(replies.filter((it) => it.statusCode === 200)).toHaveLength(1)
      const late = await submit(world, person, body)
      expect([late.statusCode, errorOf(late).code]).toEqual([409, 'conflict'])
    })

    test('whose plain files remained after a crash is cleared by its job', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const plain = storedAt(world, 'identity-uploads', body.live.upload_id)
      const { objects } = world.deps.storage
      const { remove: removeObject } = objects
      const remove = vi
        .spyOn(objects, 'remove')
        .mockImplementation((key) =>
          key === `identity-uploads/${body.live.upload_id}`
            ? Promise.reject(new Error('power failure'))
            : removeObject(key),
        )
      const reply = await submit(world, person, body).finally(() => remove.mockRestore())
      expect(reply.statusCode).toBe(200)
      expect((await stat(plain)).size).toBeGreaterThan(0)
      // No worker runs: it would also take the jobs of the tests below.
      for (const job of await takeJobs(world, 'identity.clear'))
        await removePlainUploads(world.deps, job.uploadIds)
      await expect(stat(plain)).rejects.toThrow('ENOENT')
    })

    test('whose job crashed is cleared by the sweep at the next start', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const plain = storedAt(world, 'identity-uploads', body.front.upload_id)
      const unsubmitted = await uploadDocument(world, person, (await documents()).front)
      const remove = vi.spyOn(world.deps.storage.objects, 'remove')
      remove.mockRejectedValue(new Error('power failure'))
      await submit(world, person, body).finally(() => remove.mockRestore())
      await world.database.executeSql(`update pgboss.job set state = 'active' where name = 'identity.clear'`)
      expect((await stat(plain)).size).toBeGreaterThan(0)
      await sweepIdentity(world.deps)
      await expect(stat(plain)).rejects.toThrow('ENOENT')
      // An upload that was not submitted is not removed.
      expect((await stat(storedAt(world, 'identity-uploads', unsubmitted))).size).toBeGreaterThan(0)
    })

    test('that fails in its transaction leaves no sealed file', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const post = vi.spyOn(world.deps.jobs, 'enqueue').mockRejectedValueOnce(new Error('no database'))
      const sealedFiles = async () => [
        await readdir(storedAt(world, 'identity')),
        await readdir(world.deps.storage.scratch.folder),
      ]
      const before = await sealedFiles()
      const reply = await submit(world, person, body).finally(() => post.mockRestore())
      expect(reply.statusCode).toBe(500)
      expect(await sealedFiles()).toEqual(before)
    })

    test('that crashed before the commit is not stored, and its sealed file is removed after a day', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const { objects } = world.deps.storage
      const { put: putObject } = objects
      const put = vi.spyOn(objects, 'put').mockImplementation(async (key, file) => {
        await putObject(key, file)
        if (key === `identity/${body.live.upload_id}`) throw new Error('power failure')
      })
      const reply = await submit(world, person, body).finally(() => put.mockRestore())
      expect([reply.statusCode, await stateOf(person)]).toEqual([500, { is: 'none' }])
      const remaining = async () =>
        (await readdir(storedAt(world, 'identity'))).filter((it) => it.startsWith(body.live.upload_id))
      expect(await remaining()).toHaveLength(1)
      const start = world.clock.now
      world.clock.now += 25 * 3600 * 1000
      await sweepIdentity(world.deps)
      world.clock.now = start
      expect(await remaining()).toEqual([])
      expect((await submit(world, person, body)).statusCode, 'the same submission is accepted now').toBe(200)
    })

    test('loses its documents 30 days after a rejection and 90 after an approval, and stays stored', async () => {
      const [rejected, approved] = [await signUp(world), await signUp(world)]
      for (const [person, state] of [
        [rejected, 'rejected'],
        [approved, 'approved'],
      ] as const) {
        const id = await submitted(world, person)
        await world.deps.db.execute(
          sql`update identity_checks set state = ${state}, decided_at = ${new Date(world.clock.now)} where id = ${id}`,
        )
      }
      const filesOf = async (person: Member) =>
        (
          await world.database.executeSql(
            `select f.id from identity_files f join identity_checks c on c.id = f.check_id where c.user_id = '${person.id}'`,
          )
        ).rows as { id: string }[]
      const [first] = await filesOf(rejected)
      const start = world.clock.now
      const after = async (days: number) => {
        world.clock.now = start + days * 24 * 3600 * 1000
        await sweepIdentity(world.deps)
        return [(await filesOf(rejected)).length, (await filesOf(approved)).length]
      }
      expect(await after(29)).toEqual([3, 3])
      expect(await after(31)).toEqual([0, 3])
      await expect(stat(storedAt(world, 'identity', defined(first?.id)))).rejects.toThrow('ENOENT')
      expect(await after(91)).toEqual([0, 0])
      world.clock.now = start
      expect(await stateOf(rejected)).toMatchObject({ is: 'rejected' })
    })

    test('is refused with prompts that newer ones replaced or that are newer than its recording', async () => {
      const person = await signUp(world)
      const body = await prepared(world, person)
      const newer = await requestPromptsAs(world, person)
      const old = await submit(world, person, body)
      expect([old.statusCode, errorOf(old)]).toEqual([
        422,
        { code: 'invalid', fields: { prompts_id: 'expired' } },
      ])
      // The recording was begun before the newer gestures were requested.
      world.clock.now += 1000
      const newest = await requestPromptsAs(world, person)
      expect(newest).not.toBe(newer)
      const stale = await submit(world, person, { ...body, prompts_id: newest })
      expect(errorOf(stale).fields).toEqual({ prompts_id: 'expired' })
    })
  })
})
