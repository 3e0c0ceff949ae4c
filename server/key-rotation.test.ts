// A server whose master key was rotated, beside what the server before it stored.
import path from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { readdirSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { buildApp } from './app.ts'
import { assemble, type Deps } from './deps.ts'
import { beginAudit } from './services/transaction/begin-audit.ts'
import { recoveryHash } from './services/auth/second-factor.ts'
import { resealAll } from './services/keys/reseal.ts'
import { storeRetainedKeys } from './services/keys/retained.ts'
import { unsubscribed, unsubscribeUrl } from './services/notices/unsubscribe-token.ts'
import { acceptedNoticeSecrets, noticeSecretOf } from './services/payments/identifiers.ts'
import { verifyAudit } from './modules/administration/verify-audit.ts'
import { replaceRecoveryCodes } from './store/accounts/second-factor.ts'
import { sealedColumns } from './store/keys/sealed-columns.ts'
import { tamper, writeEntries } from './testing/audit.ts'
import { call, type Member, PASSWORD, signUp } from './testing/people/members.ts'
import { databases, openWorld, type World } from './testing/world.ts'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]
const DAY = 24 * 3600_000

test('every column with encrypted values is known', () => {
  const folder = path.join(import.meta.dirname, 'store/tables')
  const files = readdirSync(folder).filter((it) => it.endsWith('.ts'))
  return Promise.all(files.map((it) => import(path.join(folder, it)) as Promise<object>)).then((modules) => {
    const tables = modules.flatMap((it) => Object.values(it)).filter((it) => is(it, PgTable))
    const found = tables.flatMap((table) =>
      Object.values(getTableColumns(table))
        .filter(({ name }) => /sealed|encrypted/.test(name))
        .map(({ name }) => `${getTableName(table)}.${name}`),
    )
    const known = sealedColumns.map(({ table, column }) => `${getTableName(table)}.${column.name}`)
    expect(known.toSorted()).toEqual([...new Set(found)].toSorted())
  })
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a rotated master key', () => {
    const opened: (() => Promise<unknown>)[] = []
    let world: World
    beforeEach(async () => {
      world = await openWorld({ database: kind, parts: { masterKeys: { present: OLD } } })
      await beginAudit({ ...world.deps, mac: (text) => world.deps.secrets.mac('audit', text) })
    })
    afterAll(async () => {
      for (const close of opened.toReversed()) await close()
    })

    /** The same database and folder with other keys. */
    async function restarted(present: string, others = ''): Promise<World> {
      const { settings, passwords, clock } = world.deps
      const { dataDir } = world
      const more = { dataDir, passwords, clock, masterKeys: { present, others } }
      const deps = await assemble({ settings, database: world.database, ...more })
      const app = await buildApp(deps)
      await app.ready()
      opened.push(() => deps.jobs.stop())
      return { ...world, deps, app }
    }

    const broken = async ({ db, secrets }: Deps) =>
      (await verifyAudit(db, (text) => secrets.macs('audit', text).toReversed())).broken

    async function withFactor(person: Member): Promise<void> {
      const { secrets } = world.deps
      const sealed = secrets.seal('second-factor', Buffer.from('secret'), person.id)
      await world.database.executeSql(
        'insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, $2, now(), now())',
        [person.id, sealed],
      )
      const codes = ['aaaaa-aaaaa', 'bbbbb-bbbbb'].map((it) => it.replace('-', ''))
      await replaceRecoveryCodes(
        world.deps.db,
        person.id,
        codes.map((it) => recoveryHash(secrets, person.id, it)),
      )
    }

    test('reads what the earlier key sealed, seals it again, and then works without the earlier key', async () => {
      const person = await signUp(world)
      await withFactor(person)
      const rotated = await restarted(NEW, OLD)
      const { deps } = rotated
      expect(await resealAll(deps, 'count')).toEqual({ present: 0, earlier: 1, unreadable: [] })
      await storeRetainedKeys(deps.db, deps.secrets, deps.clock)
      expect(await resealAll(deps, 'reseal')).toMatchObject({ earlier: 0, unreadable: [] })
      expect(await resealAll(deps, 'reseal')).toEqual(await resealAll(deps, 'count'))
      const alone = (await restarted(NEW)).deps
      expect(await resealAll(alone, 'count')).toMatchObject({ earlier: 0, unreadable: [] })
    })

    test('accepts recovery codes, links and notices from before it, also without the earlier key', async () => {
      const person = await signUp(world)
      await withFactor(person)
      const { secrets } = world.deps
      const token = defined(unsubscribeUrl(secrets, '', person.id).split('/').at(-1))
      const notices = noticeSecretOf(secrets, '')
      const rotated = await restarted(NEW, OLD)
      await storeRetainedKeys(rotated.deps.db, rotated.deps.secrets, rotated.deps.clock)
      await resealAll(rotated.deps, 'reseal')
      for (const [it, code] of [
        [rotated, 'aaaaa-aaaaa'],
        [await restarted(NEW), 'bbbbb-bbbbb'],
      ] as const) {
        const body = { email: person.email, password: PASSWORD, code }
        expect((await call(it, null, 'POST', '/auth/sign-in', body)).statusCode).toBe(200)
        expect((await call(it, null, 'POST', '/auth/sign-in', body)).statusCode).toBe(422)
        expect(unsubscribed(it.deps.secrets, token)).toBe(person.id)
        expect(acceptedNoticeSecrets(it.deps.secrets, '')).toContain(notices)
      }
      await expect(restarted('x'.repeat(32))).rejects.toThrow(
        'SECRET_KEY が、このデータベースのものと異なります',
      )
    })

    test('verifies the audit log over both keys, and refuses a later entry by the earlier key', async () => {
      await writeEntries(world, newId(), 3)
      const rotated = await restarted(NEW, OLD)
      await writeEntries(rotated, newId(), 2)
      expect(await broken(rotated.deps)).toBeUndefined()
      await storeRetainedKeys(rotated.deps.db, rotated.deps.secrets, rotated.deps.clock)
      const alone = await restarted(NEW)
      expect(await broken(alone.deps)).toBeUndefined()
      await writeEntries(world, newId(), 1)
      expect(await broken(alone.deps)).toMatchObject({ is: 'changed', seq: 7 })
      await tamper(world, 'delete from audit_log where seq = 7')
      await tamper(world, `update audit_log set ip = 'x' where seq = 2`)
      expect(await broken(alone.deps)).toMatchObject({ is: 'changed', seq: 2 })
    })

    test('exchanges a token for the one that the earlier key has issued already, then for its own', async () => {
      const person = await signUp(world)
      const next = async (it: World, as: Member) =>
        (await call(it, as, 'GET', '/auth/session')).json<{ token?: string }>().token ?? ''
      const as = (token: string): Member => ({ ...person, token, auth: { authorization: `Bearer ${token}` } })
      world.clock.now += DAY
      const issued = await next(world, person)
      const rotated = await restarted(NEW, OLD)
      expect(await next(rotated, person)).toBe(issued)
      await call(rotated, as(issued), 'GET', '/auth/session')
      world.clock.now += DAY
      const later = await next(rotated, as(issued))
      expect(later).not.toBe(issued)
      expect(later).toBe(rotated.deps.secrets.mac('session', issued))
      await call(rotated, as(later), 'GET', '/auth/session')
      // The first token is known as one that was exchanged twice, by one key and then the other: elsewhere it is a copy.
      expect((await call(rotated, as(later), 'GET', '/auth/sessions')).statusCode).toBe(200)
      await call(rotated, person, 'GET', '/auth/sessions', undefined, {
        'user-agent': 'Other/1.0 (Macintosh)',
      })
      expect((await call(rotated, as(later), 'GET', '/auth/sessions')).statusCode).toBe(401)
    })
  })
})
