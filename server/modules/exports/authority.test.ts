// Exports for an authority: content, time range, and who downloads them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { unzip } from '#server/testing/media/unzip.ts'
import { admin, identify } from '#server/testing/people/identity.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { addPost, call, type Member, signUp } from '#server/testing/people/members.ts'
import { sealCopy } from '#server/services/people/sealed-copy.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { makeAuthorityExport, sweepAuthorityExports } from './authority.ts'

const HOUR = 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an export for an authority', () => {
    let world: World
    let [by, person] = [] as unknown as [Member, Member]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      ;[by, person] = [await admin(world), await signUp(world)]
    })

    const today = () => new Date(world.clock.now + 9 * HOUR).toISOString().slice(0, 10)
    const ask = (as: Member, body: object = {}) =>
      call(world, as, 'POST', `/admin/people/${person.id}/exports`, {
        case_number: '捜1-23',
        from: today(),
        to: today(),
        ...body,
      })
    const list = async (as: Member) =>
      (await call(world, as, 'GET', `/admin/people/${person.id}/exports`)).json().exports
    const download = (as: Member, id: string) => call(world, as, 'GET', `/admin/authority-exports/${id}/file`)
    const made = async (body: object = {}): Promise<string> => {
      const { id } = (await ask(by, body)).json().data
      for (const job of await takeJobs(world, 'authority-export.make'))
        await makeAuthorityExport(world.deps, job.exportId)
      return id
    }
    const texts = async (id: string) => {
      const entries = await unzip((await download(by, id)).rawPayload)
      return Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes.toString()]))
    }
    const write = (content: string, as = person) =>
      addPost(world, as, [
        ['content', content],
        ['type', '1'],
      ])

    test('has what the person wrote within the days, and of messages those of reports', async () => {
      const other = await signUp(world)
      await write('期間の投稿')
      await write('ほかの人の投稿', other)
      const report = newId()
      const at = new Date(world.clock.now).toISOString()
      await world.database.executeSql(
        `insert into cases (id, target_kind, target_id, owner_id, state, reports, since)
         values ($1, 'message', $1, $2, 'open', 1, $3)`,
        [report, person.id, at],
      )
      await world.database.executeSql(
        `insert into reports (id, case_id, reporter_id, target_kind, target_id, owner_id, reason, quoted, created_at)
         values ($1, $1, $2, 'message', $1, $3, 'spam', '{}', $4)`,
        [report, other.id, person.id, at],
      )
      for (const [seq, sender, content] of [
        [1, person.id, '通報された文'],
        [2, other.id, '通報した人の文'],
      ] as const)
        await world.database.executeSql(
          'insert into reported_messages (report_id, seq, sender_id, sealed) values ($1, $2, $3, $4)',
          [
            report,
            seq,
            sender,
            sealCopy(world.deps.secrets, report, seq, { id: newId(), content, postId: null, sentAt: at }),
          ],
        )
      await call(world, person, 'POST', `/conversations/${other.id}/messages`, {
        id: newId(),
        content: '通報されていない文',
      })
      const found = await texts(await made())
      expect(Object.keys(found).toSorted()).toEqual([
        'comments.json',
        'payments.json',
        'posts.json',
        'profile.json',
        'reported-messages.json',
        'request.json',
        'sessions.json',
      ])
      const whole = Object.values(found).join('')
      for (const it of ['期間の投稿', '通報された文', person.email, '捜1-23']) expect(whole).toContain(it)
      for (const it of ['ほかの人の投稿', '通報した人の文', '通報されていない文', other.email, person.token])
        expect(whole).not.toContain(it)
      const before = await texts(await made({ from: '2020-01-01', to: '2020-12-31' }))
      for (const it of ['posts.json', 'sessions.json', 'reported-messages.json'])
        expect(before[it]).toBe('[]\n')
    })

    test('is downloaded by the admin who requested it alone, after a validation, for a day, and each time audited', async () => {
      const id = await made()
      const another = await admin(world)
      expect(outcomeOf(await download(another, id))).toBe('not_found')
      expect(await list(another)).toEqual([])
      expect(outcomeOf(await download(person, id))).toBe('not_found')
      for (const it of [newId(), 'x']) expect(outcomeOf(await download(by, it))).toBe('not_found')
      for (const _ of [1, 2]) expect((await download(by, id)).statusCode).toBe(200)
      const { rows } = await world.database.executeSql(
        `select act, detail::text as detail from audit_log where subject_id = $1 and act like 'authority%' order by seq`,
        [person.id],
      )
      expect(rows.map((it) => (it as { act: string }).act)).toEqual([
        'authority_export.request',
        'authority_export.list',
        'authority_export.download',
        'authority_export.download',
      ])
      expect(JSON.stringify(rows)).not.toContain('捜1-23')
      world.clock.now += 10 * 60_000
      expect(outcomeOf(await download(by, id))).toBe('validation_required')
      world.clock.now += 24 * HOUR
      await identify(world, by)
      expect(outcomeOf(await download(by, id))).toBe('not_found')
      expect(await list(by)).toMatchObject([{ id, state: 'expired', case_number: '捜1-23' }])
      await sweepAuthorityExports(world.deps)
      const stored = await world.database.executeSql('select sealed from authority_exports where id = $1', [
        id,
      ])
      expect(stored.rows).toEqual([{ sealed: '' }])
    })

    test('is stored encrypted, for its own export', async () => {
      await write('秘密の文')
      const [one, two] = [await made(), await made()]
      const { rows } = await world.database.executeSql('select sealed from authority_exports where id = $1', [
        one,
      ])
      const { sealed } = rows[0] as { sealed: string }
      expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('profile.json')
      await world.database.executeSql('update authority_exports set sealed = $2 where id = $1', [two, sealed])
      expect((await download(by, two)).statusCode).toBe(500)
    })

    test('is requested by admins after a validation, with a case number and days in their order', async () => {
      for (const body of [
        { case_number: '' },
        { case_number: 'あ'.repeat(101) },
        { from: '2026-02-30' },
        { from: '2026-02-02', to: '2026-02-01' },
      ])
        expect(outcomeOf(await ask(by, body))).toBe('invalid')
      expect(outcomeOf(await ask(person))).toBe('not_found')
      world.clock.now += 10 * 60_000
      expect(outcomeOf(await ask(by))).toBe('validation_required')
      expect(await list(by)).toEqual([])
    })
  })
})
