// The audit log for admins: pages, filters, CSV, and who may read it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntryView } from '#contract/administration/audit.ts'
import { newId } from '#contract/ids.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { writeEntries } from '#server/testing/audit.ts'
import { admin } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000

interface Page {
  readonly entries: AuditEntryView[]
  readonly next: string | null
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the audit log', () => {
    let world: World
    let reader: Member
    let actor: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      ;[reader, actor] = [await admin(world), await admin(world)]
    })

    const read = (query = '', as: Member | null = reader) => call(world, as, 'GET', `/admin/audit?${query}`)
    const download = (query = '', as: Member | null = reader) =>
      call(world, as, 'GET', `/admin/audit.csv?${query}`)
    const page = async (query: string) => (await read(query)).json<Page>()
    const numbers = async (query: string) => (await page(query)).entries.map((it) => it.seq)
    const openings = async () => {
      const { rows } = await world.database.executeSql(
        `select act, subject_kind, subject_id, detail, ip from audit_log
         where actor_id = $1 and act in ('audit.list', 'audit.export') order by seq`,
        [reader.id],
      )
      return rows
    }
    const rename = (person: Member, name: string) =>
      world.database.executeSql('update users set name = $2 where id = $1', [person.id, name])

    test('has who did what about whom, when and from where, with names', async () => {
      const subject = await signUp(world)
      await rename(actor, '運営の花')
      await rename(subject, '相手の人')
      await world.deps.audit({
        actorId: actor.id,
        act: 'role.set',
        subjectKind: 'user',
        subjectId: subject.id,
        detail: { role: 'admin', by: 'ADMIN_EMAILS' },
        ip: '192.0.2.7',
      })
      const [entry] = (await page(`actor=${actor.id}`)).entries
      expect(entry).toEqual({
        seq: expect.any(Number),
        id: expect.any(String),
        at: new Date(world.clock.now).toISOString(),
        act: 'role.set',
        actor_id: actor.id,
        actor: { id: actor.id, name: '運営の花', handle: null, avatar_url: null },
        subject_kind: 'user',
        subject_id: subject.id,
        subject: { id: subject.id, name: '相手の人', handle: null, avatar_url: null },
        detail: { role: 'admin', by: 'ADMIN_EMAILS' },
        ip: '192.0.2.7',
      })
    })

    test('keeps entries of a deleted account, without its name', async () => {
      await writeEntries(world, actor.id, 1)
      await world.database.executeSql('update users set deleted_at = now() where id = $1', [actor.id])
      expect((await page(`actor=${actor.id}`)).entries).toMatchObject([
        { actor_id: actor.id, actor: null, subject_id: actor.id, subject: null },
      ])
      expect((await download(`actor=${actor.id}`)).body).toContain(`"${actor.id}","","reserved_names.read"`)
    })

    test('is read in pages, the newest first, each entry once, also those of one moment', async () => {
      const ids = await writeEntries(world, actor.id, 120)
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const it: Page = await page(`actor=${actor.id}${cursor && `&cursor=${cursor}`}`)
        seen.push(...it.entries.map(({ id }) => id))
        cursor = it.next
      }
      expect(seen).toEqual(ids.toReversed())
      const all = await page('')
      expect(all.entries.map((it) => it.seq)).toEqual(
        all.entries.map((_, i) => (all.entries[0]?.seq ?? 0) - i),
      )
      expect(all.entries).toHaveLength(50)
      expect((await page(`cursor=${all.next}`)).entries[0]?.seq).toBe((all.entries.at(-1)?.seq ?? 0) - 1)
    })

    test.each([
      ['actor', ({ actorId }: Record<string, string>) => `actor=${actorId}`, [1, 2, 3, 4]],
      ['act', () => 'act=identity.read', [2, 5]],
      ['subject_kind', () => 'subject_kind=identity_check', [2, 3, 5]],
      ['subject', ({ check }: Record<string, string>) => `subject=${check}`, [2, 3]],
      ['actor and act', ({ actorId }: Record<string, string>) => `actor=${actorId}&act=identity.read`, [2]],
      ['a time', ({ from, to }: Record<string, string>) => `from=${from}&to=${to}`, [3, 4]],
      ['an act and another kind', () => 'act=identity.read&subject_kind=user', []],
      ['subject and act', ({ check }: Record<string, string>) => `subject=${check}&act=identity.take`, [3]],
      [
        'everything',
        ({ actorId, check, from, to }: Record<string, string>) =>
          `actor=${actorId}&subject=${check}&subject_kind=identity_check&act=identity.take&from=${from}&to=${to}`,
        [3],
      ],
    ])('is filtered by %s', async (_, query, expected) => {
      const [check, begins] = [newId(), world.clock.now]
      const by = { actorId: actor.id, ip: '' }
      const of = { subjectKind: 'identity_check', subjectId: check } as const
      const write = world.deps.audit
      await write({ ...by, act: 'payment_limit_begun', subjectKind: 'user', subjectId: actor.id })
      await write({ ...by, act: 'identity.read', ...of })
      world.clock.now = begins + HOUR
      await write({ ...by, act: 'identity.take', ...of, detail: { from: null } })
      await write({
        ...by,
        act: 'reconcile',
        subjectKind: 'user',
        subjectId: actor.id,
        detail: { listed: 1, applied: 0, differences: 0 },
      })
      world.clock.now = begins + 2 * HOUR
      await write({ actorId: newId(), act: 'identity.read', ...of, subjectId: newId(), ip: '' })
      const { rows } = await world.database.executeSql('select max(seq)::int - 5 as before from audit_log')
      const before = (rows as { before: number }[])[0]?.before ?? 0
      const from = new Date(begins + 1).toISOString()
      const to = new Date(begins + 2 * HOUR).toISOString()
      const found = await numbers(query({ actorId: actor.id, check, from, to }))
      // Other tests and the opening itself have entries too.
      const own = found.map((it) => it - before).filter((it) => it >= 1 && it <= 5)
      expect(own.toReversed()).toEqual(expected)
      if (found.length < 50)
        expect(
          (await download(query({ actorId: actor.id, check, from, to }))).body.split('\r\n'),
        ).toHaveLength(found.length + 2)
    })

    test('has an entry of each opening, with the names of the filters, and none of further pages', async () => {
      await writeEntries(world, actor.id, 60)
      const { next } = await page(`actor=${actor.id}&act=reserved_names.read`)
      await page(`actor=${actor.id}&act=reserved_names.read&cursor=${next}`)
      await download(`from=${new Date(0).toISOString()}&to=${new Date(1).toISOString()}`)
      const whole = { subject_kind: 'audit_log', subject_id: NO_ID, ip: '127.0.0.1' }
      expect(await openings()).toEqual([
        { act: 'audit.list', ...whole, detail: { fields: ['actor', 'act'] } },
        { act: 'audit.export', ...whole, detail: { fields: ['from', 'to'] } },
      ])
    })

    test('is not shown without the entry of its opening', async () => {
      await world.database.executeSql(
        `alter table audit_log add constraint none check (act not like 'audit.%') not valid`,
      )
      const [list, file] = [await read(), await download()]
      await world.database.executeSql('alter table audit_log drop constraint none')
      expect([errorOf(list).code, errorOf(file).code]).toEqual(['internal', 'internal'])
    })

    test('is for admins: others get 404, visitors 401, and neither is an entry', async () => {
      const member = await signUp(world)
      for (const [as, code] of [
        [member, 'not_found'],
        [null, 'unauthenticated'],
      ] as const)
        for (const reply of [await read('', as), await download('', as)])
          expect(errorOf(reply).code).toBe(code)
      expect(await numbers(`actor=${member.id}`)).toEqual([])
    })

    test.each([
      'actor=1',
      'act=unknown',
      'subject_kind=unknown',
      'subject=x',
      'from=yesterday',
      'cursor=nonsense',
    ])('refuses the query %s, without an entry', async (query) => {
      expect(errorOf(await read(query)).code).toBe('invalid')
      if (!query.startsWith('cursor')) expect(errorOf(await download(query)).code).toBe('invalid')
      expect(await openings()).toEqual([])
    })

    test('as CSV has a head, a row for each entry, and no formula', async () => {
      await rename(actor, '=HYPERLINK("x")')
      const [id] = await writeEntries(world, actor.id, 1)
      const reply = await download(`actor=${actor.id}`)
      expect(reply.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="todoke-audit.csv"',
        'cache-control': 'private, no-store',
      })
      const { rows } = await world.database.executeSql(
        `select seq::int as seq, hash, detail->'people'->>0 as person from audit_log where id = $1`,
        [id],
      )
      const [{ seq, hash, person } = { seq: 0, hash: '', person: '' }] = rows as Record<string, string>[]
      const name = `'=HYPERLINK(""x"")`
      expect(reply.rawPayload.toString()).toBe(
        '\uFEFF"番号","日時","操作した人のID","操作した人の名前","操作","対象の種類","対象のID","対象の人の名前","内容","IPアドレス","検証値"\r\n' +
          `"${seq}","${new Date(world.clock.now).toISOString()}","${actor.id}","${name}","reserved_names.read","user","${actor.id}","${name}",` +
          `"{""people"":[""${person}""]}","192.0.2.1","${seq}:${hash}"\r\n`,
      )
    })

    test('as CSV has every entry once when there are more than are read at once', async () => {
      const many = newId()
      await world.deps.transaction(async ({ audit }) => {
        for (let n = 0; n < 2100; n++)
          audit({
            actorId: many,
            act: 'identity.read',
            subjectKind: 'identity_check',
            subjectId: newId(),
            ip: '',
          })
      })
      const lines = (await download(`actor=${many}`)).body.split('\r\n').slice(1, -1)
      expect(new Set(lines.map((it) => it.split(',')[0])).size).toBe(2100)
    })
  })
})
