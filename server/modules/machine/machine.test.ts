// The machine: its state, failed jobs and media, and several servers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { admin, identify } from '#server/testing/people/identity.ts'
import { addPost, call, type Member, postIdOf, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { publishFigures } from './figures.ts'
import { createStorageReader } from './storage.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the machine', () => {
    let world: World
    let by: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      by = await admin(world)
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await identify(world, by)
      await world.database.executeSql('delete from pgboss.job')
    })
    const sql = async <T>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
      (await world.database.executeSql(text, values)).rows as T[]
    const get = (path: string) => call(world, by, 'GET', `/admin/machine${path}`)
    const post = (path: string, body: object = {}) => call(world, by, 'POST', `/admin/machine${path}`, body)
    const failed = async (name: string, message = '') => {
      const [row] = await sql<{ id: string }>(
        `insert into pgboss.job (name, state, retry_limit, retry_count, completed_on, output)
         values ($1, 'failed', 2, 2, now(), jsonb_build_object('message', $2::text)) returning id`,
        [name, message],
      )
      return row?.id ?? ''
    }
    const stateOf = async (id: string) =>
      (await sql<{ state: string }>('select state from pgboss.job where id = $1', [id]))[0]?.state
    const entries = (act: string) =>
      sql<{ subject_id: string; detail: object }>(
        'select subject_id, detail from audit_log where act = $1 order by seq',
        [act],
      )

    test('shows versions, checks, storage, and this server with its routes', async () => {
      await get('')
      const page = (await get('')).json()
      const { versions, checks, storage, servers } = page
      expect(versions.migrations.applied).toBe(versions.migrations.known)
      expect(versions.database).toMatch(kind === 'pglite' ? /^PGlite/ : /^PostgreSQL \d/)
      const states = Object.fromEntries(
        checks.map((it: { name: string; state: string }) => [it.name, it.state]),
      )
      expect(states).toMatchObject({ redis: 'off', mail: 'off', push: 'ok', payments: 'ok' })
      for (const name of ['database', 'store']) expect(['ok', 'slow']).toContain(states[name])
      expect(storage).toMatchObject({ floor: 0, exports: { count: 0, bytes: 0 } })
      expect(storage.total).toBeGreaterThan(storage.free)
      expect(servers).toMatchObject([{ own: true, id: world.deps.meters.id }])
      const routes = servers[0].routes.map((it: { route: string }) => it.route)
      expect(routes).toContain('GET /api/admin/machine')
      expect(JSON.stringify(page)).not.toContain(by.id)
    })

    test('has the sizes of files by their rows', async () => {
      const me = await signUp(world)
      const before = (
        await sql<{ bytes: string }>('select coalesce(sum(length), 0) as bytes from uploads')
      )[0]
      await upload(world, me, Buffer.alloc(1000), 'a.bin')
      const { uploads } = await createStorageReader(world.deps)()
      expect(uploads.bytes).toBe(Number(before?.bytes) + 1000)
    })

    test('counts jobs by kind, and lists failed ones with the reason', async () => {
      const id = await failed('letter.send', 'no reply of smtp://u:secret@relay.example')
      await failed('media.film')
      await sql(`insert into pgboss.job (name, state) values ('media.film', 'created')`)
      const { queues } = (await get('')).json()
      expect(queues.find((it: { name: string }) => it.name === 'media.film')).toMatchObject({
        waiting: 1,
        running: 0,
        failed: 1,
        since: expect.any(String),
      })
      const { jobs } = (await get('/jobs')).json()
      expect(jobs.find((it: { id: string }) => it.id === id)).toMatchObject({
        name: 'letter.send',
        tries: 3,
        reason: 'no reply of smtp://***@relay.example',
      })
    })

    test('a failed job is tried once more by one of two admins at once, with one entry', async () => {
      const id = await failed('media.film')
      const before = (await entries('jobs.retry')).length
      const both = await Promise.all([post('/jobs/retry', { id }), post('/jobs/retry', { id })])
      expect(both.map((it) => it.json().count).toSorted()).toEqual([0, 1])
      expect(await stateOf(id)).toBe('retry')
      expect((await entries('jobs.retry')).slice(before)).toEqual([{ subject_id: id, detail: { count: 1 } }])
    })

    test('all failed jobs of a kind are tried or deleted, and no other', async () => {
      const [one, two, other] = [
        await failed('media.film'),
        await failed('media.film'),
        await failed('letter.send'),
      ]
      expect((await post('/jobs/retry', { name: 'media.film' })).json()).toEqual({ count: 2 })
      expect([await stateOf(one), await stateOf(two), await stateOf(other)]).toEqual([
        'retry',
        'retry',
        'failed',
      ])
      expect((await post('/jobs/drop', { name: 'letter.send' })).json()).toEqual({ count: 1 })
      expect([await stateOf(one), await stateOf(other)]).toEqual(['retry', undefined])
      expect((await entries('jobs.drop')).at(-1)).toEqual({ subject_id: NO_ID, detail: { count: 1 } })
    })

    test('acts require a validation', async () => {
      const id = await failed('media.film')
      await sql('update sessions set validated_at = null where user_id = $1', [by.id])
      for (const path of ['/jobs/retry', '/jobs/drop'])
        expect(outcomeOf(await post(path, { id }))).toBe('validation_required')
      expect(outcomeOf(await post(`/media/${newId()}/retry`))).toBe('validation_required')
      expect(await stateOf(id)).toBe('failed')
    })

    test('a failed file is listed with its owner, tried again once, and audited', async () => {
      const author = await signUp(world)
      const id = await upload(world, author, await jpeg(), 'a.jpg')
      const fields = [
        ['type', '1'],
        ['has_image_file[]', id],
      ] as const
      postIdOf(await addPost(world, author, fields))
      const retry = async () => outcomeOf(await post(`/media/${id}/retry`))
      expect(await retry()).toBe('conflict')
      await sql(`update media set state = 'failed', failure = 'unreadable', attempts = 3 where id = $1`, [id])
      const { media } = (await get('/media')).json()
      expect(media).toMatchObject([
        { id, kind: 'image', owner: { id: author.id }, reason: 'unreadable', attempts: 3 },
      ])
      expect(media[0].bytes).toBeGreaterThan(0)
      expect((await entries('media.list_failed')).at(-1)?.detail).toEqual({ media: [id] })
      expect([await retry(), await retry()]).toEqual([200, 'conflict'])
      expect((await entries('media.retry')).map((it) => it.detail)).toEqual([{ owner: author.id }])
      expect(outcomeOf(await post(`/media/${newId()}/retry`))).toBe('not_found')
    })

    test('lists servers that published within a minute, and removes old reports', async () => {
      const other = { ...world.deps, meters: { ...world.deps.meters, id: newId() } }
      await publishFigures(other)
      const servers = async () => (await get('')).json().servers as { id: string; own: boolean }[]
      expect((await servers()).map((it) => [it.id, it.own])).toEqual([
        [world.deps.meters.id, true],
        [other.meters.id, false],
      ])
      await sql(`update server_reports set measured_at = now() - interval '2 minutes'`)
      expect(await servers()).toHaveLength(1)
      await sql(`update server_reports set measured_at = now() - interval '11 minutes'`)
      await publishFigures(world.deps)
      expect(await sql('select id from server_reports')).toEqual([{ id: world.deps.meters.id }])
    })
  })
})
