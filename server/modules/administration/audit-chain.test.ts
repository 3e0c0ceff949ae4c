// The chain of the audit log in the database, and breaks of it by hand.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { beginAudit } from '#server/services/transaction/begin-audit.ts'
import { lockChain } from '#server/store/audit/chain.ts'
import { tamper, writeEntries } from '#server/testing/audit.ts'
import { asAnotherRequest } from '#server/testing/one-connection.ts'
import { signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { verifyAudit } from './verify-audit.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the audit log', () => {
    let world: World
    let actor: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      actor = newId()
      await tamper(world, 'delete from audit_log')
    })

    const mac = (text: string) => world.deps.secrets.mac('audit', text)
    const verified = (anchor?: { seq: number; hash: string }) =>
      verifyAudit(world.deps.db, (text) => [mac(text)], anchor)
    const broken = async () => (await verified()).broken
    const rows = async (text: string) => (await world.database.executeSql(text)).rows
    const entry = (subjectId: string) =>
      ({ actorId: actor, act: 'identity.read', subjectKind: 'identity_check', subjectId, ip: '' }) as const

    test('has no gap after 20 transactions at once, and its order is that of the numbers', async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          world.deps.transaction(async ({ tx, audit }) => {
            audit(entry(newId()))
            await tx.execute('select 1')
            if (n % 2 === 0) audit(entry(newId()))
          }),
        ),
      )
      const numbers = await rows('select seq::int as seq from audit_log order by seq')
      expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => ({ seq: i + 1 })))
      expect(await verified()).toMatchObject({ broken: undefined, head: { seq: 30 } })
    })

    test('has no entry of a transaction that was rolled back, and all of the others in the order of their calls', async () => {
      const [one, two] = [newId(), newId()]
      const failing = world.deps.transaction(async ({ audit }) => {
        audit(entry(newId()))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await world.deps.transaction(async ({ audit }) => {
        audit(entry(one))
        audit(entry(two))
      })
      expect(await rows('select seq::int as seq, subject_id as of from audit_log order by seq')).toEqual([
        { seq: 1, of: one },
        { seq: 2, of: two },
      ])
    })

    test('and what was done are written together: without the entry nothing is changed', async () => {
      const member = await signUp(world)
      const name = () => rows(`select name from users where id = '${member.id}'`)
      const before = await name()
      await world.database.executeSql('alter table audit_log rename to audit_log_away')
      const failing = world.deps.transaction(async ({ tx, audit }) => {
        await tx.execute(`update users set name = 'changed' where id = '${member.id}'`)
        audit(entry(member.id))
      })
      await expect(failing).rejects.toThrow('audit_log')
      await world.database.executeSql('alter table audit_log_away rename to audit_log')
      expect(await name()).toEqual(before)
    })

    test('does not stop a transaction without entries while another one is being written', async () => {
      if (kind === 'pglite') return
      const other = () => world.deps.transaction(async (unit) => unit.tx.execute('select 1'))
      const done = await world.deps.transaction(async ({ tx }) => {
        await lockChain(tx)
        await asAnotherRequest(other)
        return 'done'
      })
      expect(done).toBe('done')
    })

    test('refuses to change, delete and empty its rows, and rows without a place', async () => {
      await writeEntries(world, actor, 2)
      const before = await rows('select * from audit_log order by seq')
      for (const text of [
        `update audit_log set ip = ''`,
        `update audit_log set detail = '{}', hash = 'x'`,
        'update audit_log set seq = seq + 10',
        'delete from audit_log',
        'truncate audit_log',
        `insert into audit_log (id, actor_id, act, subject_kind, subject_id, detail, ip, at)
         values (gen_random_uuid(), gen_random_uuid(), 'refund', 'payment', gen_random_uuid(), '{}', '', now())`,
      ])
        await expect(world.database.executeSql(text)).rejects.toThrow('the audit log is only added to')
      expect(await rows('select * from audit_log order by seq')).toEqual(before)
    })

    test.each([
      ['changed', `update audit_log set ip = '' where seq = 3`, 3],
      ['changed', `update audit_log set detail = '{"people": []}' where seq = 3`, 3],
      ['changed', `update audit_log set at = at + interval '1 ms' where seq = 3`, 3],
      ['changed', `update audit_log set subject_id = gen_random_uuid() where seq = 3`, 3],
      ['removed', 'delete from audit_log where seq = 3', 3],
      ['removed', 'delete from audit_log where seq = 1', 1],
    ] as const)('shows that it was %s by hand: %s', async (is, text, seq) => {
      const ids = await writeEntries(world, actor, 5)
      expect(await broken()).toBeUndefined()
      await tamper(world, text)
      expect(await broken()).toEqual({ is, seq, id: is === 'removed' ? null : ids[seq - 1] })
    })

    test('shows swapped, inserted and renumbered entries at the first of them', async () => {
      const ids = await writeEntries(world, actor, 5)
      const swap = 'update audit_log set seq = case seq when -3 then 4 when -4 then 3 end where seq < 0'
      await tamper(world, 'update audit_log set seq = -seq where seq in (3, 4)')
      await tamper(world, swap)
      expect(await broken()).toEqual({ is: 'changed', seq: 3, id: ids[3] })
      await tamper(world, 'update audit_log set seq = -seq where seq in (3, 4)')
      await tamper(world, swap)
      expect(await broken()).toBeUndefined()
      await tamper(world, 'update audit_log set seq = -seq where seq >= 3')
      await tamper(world, 'update audit_log set seq = 1 - seq where seq < 0')
      const extra = newId()
      await tamper(
        world,
        `insert into audit_log select $1, actor_id, act, subject_kind, subject_id, detail, ip, at, 3, hash
         from audit_log where seq = 2`,
        [extra],
      )
      expect(await broken()).toEqual({ is: 'changed', seq: 3, id: extra })
    })

    test('shows an entry without a place, which no start gives one', async () => {
      await writeEntries(world, actor, 2)
      const extra = newId()
      await tamper(
        world,
        `insert into audit_log (id, actor_id, act, subject_kind, subject_id, detail, ip, at)
         values ($1, $1, 'refund', 'payment', $1, '{}', '', now() - interval '1 year')`,
        [extra],
      )
      await beginAudit({ ...world.deps, mac })
      expect(await broken()).toEqual({ is: 'inserted', seq: null, id: extra })
    })

    test('shows a missing end, and a log that was written again, by the anchor', async () => {
      await writeEntries(world, actor, 5)
      const anchor = (await verified()).head
      await writeEntries(world, actor, 1)
      expect((await verified(anchor)).broken).toBeUndefined()
      await tamper(world, 'delete from audit_log where seq > 3')
      expect(await broken()).toBeUndefined()
      expect((await verified(anchor)).broken).toEqual({ is: 'cut', seq: 4, id: null })
      await writeEntries(world, actor, 5)
      expect(await broken()).toBeUndefined()
      expect((await verified(anchor)).broken).toMatchObject({ is: 'replaced', seq: 5 })
    })

    test('is wrong for another key', async () => {
      await writeEntries(world, actor, 1)
      const other = (text: string) => [world.deps.secrets.mac('session', text)]
      expect((await verifyAudit(world.deps.db, other)).broken).toMatchObject({ is: 'changed', seq: 1 })
    })

    test('begins once, with the entries from before it in the order of their time', async () => {
      await tamper(
        world,
        `insert into audit_log (id, actor_id, act, subject_kind, subject_id, detail, ip, at)
         select gen_random_uuid(), gen_random_uuid(), 'refund', 'payment', gen_random_uuid(), '{"amount": 1.50}', '',
           now() - (n % 50) * interval '1 hour' from generate_series(1, 2500) n`,
      )
      const old = await rows('select id from audit_log order by at, id')
      await Promise.all([beginAudit({ ...world.deps, mac }), beginAudit({ ...world.deps, mac })])
      await beginAudit({ ...world.deps, mac })
      expect(await rows('select id from audit_log where seq <= 2500 order by seq')).toEqual(old)
      expect(
        await rows('select seq::int as seq, act, actor_id, detail from audit_log where seq > 2500'),
      ).toEqual([{ seq: 2501, act: 'audit.begin', actor_id: NO_ID, detail: { entries: 2500 } }])
      expect(await verified()).toMatchObject({ broken: undefined, head: { seq: 2501 } })
    })
  })
})
