// Reviewing identity checks: for admins alone, each act audited, each file read from its seal.
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import {
  admin,
  audited,
  confirmed,
  documents,
  prepared,
  submit,
  submitted,
} from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { applyAdmins } from './roles.ts'

const said = (reply: Awaited<ReturnType<typeof call>>) =>
  reply.statusCode === 200 ? reply.json().data.state : [reply.statusCode, errorOf(reply).code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reviewing', () => {
    let world: World
    let aya: Member
    let ben: Member
    let person: Member
    let check: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      aya = await admin(world)
      ben = await admin(world)
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      person = await signUp(world)
      check = await submitted(world, person)
    })

    const act = async (as: Member, what: string, payload?: object) =>
      said(await call(world, as, 'POST', `/admin/identity/checks/${check}/${what}`, payload))
    const state = async () => (await call(world, person, 'GET', '/identity')).json().state
    const opened = async (as: Member) =>
      (await call(world, as, 'GET', `/admin/identity/checks/${check}`)).json<CheckDetail>()
    const fileIds = async (): Promise<{ id: string; part: string }[]> =>
      (await opened(aya)).evidence?.files ?? []
    /** Aya has it, and has just confirmed who she is. */
    const taken = async () => {
      await act(aya, 'take')
      await confirmed(world, aya)
    }
    const acts = async () =>
      (await audited(world)).filter((it) => it.subject === check).map(({ act: what, actor }) => [what, actor])

    test('from the list to the approval, which identifies the person; each act stands in the log', async () => {
      const list = await call(world, aya, 'GET', '/admin/identity/checks')
      expect(list.json().checks).toContainEqual(
        expect.objectContaining({
          id: check,
          state: 'submitted',
          person: expect.objectContaining({ id: person.id }),
        }),
      )
      expect(await act(aya, 'take')).toBe('in_review')
      expect((await state()).is).toBe('in_review')
      expect(await act(aya, 'approve')).toBe('approved')
      expect(await act(aya, 'approve'), 'an answer that was lost').toBe('approved')
      expect(await state()).toEqual({ is: 'approved', at: expect.any(String) })
      const { rows } = await world.database.executeSql(
        `select identified_at is not null as yes from users where id = '${person.id}'`,
      )
      expect(rows).toEqual([{ yes: true }])
      expect(await acts()).toEqual([
        ['identity.take', aya.id],
        ['identity.approve', aya.id],
      ])
      expect(errorOf(await submit(world, person, await anything())).code).toBe('conflict')
    })

    test('a rejection says why, and the person may send again', async () => {
      await act(aya, 'take')
      expect(await act(aya, 'reject', { reason: 'cut_off', note: '右上が切れています。' })).toBe('rejected')
      expect(await state()).toMatchObject({ is: 'rejected', reason: 'cut_off', note: '右上が切れています。' })
      expect((await submit(world, person, await prepared(world, person))).statusCode).toBe(200)
    })

    test('only the admin who took it decides, and gives it back; then another one can take it', async () => {
      expect(await act(aya, 'approve')).toEqual([409, 'conflict'])
      await act(aya, 'take')
      expect(await act(aya, 'take'), 'an answer that was lost').toBe('in_review')
      for (const what of ['approve', 'take', 'return'])
        expect(await act(ben, what)).toEqual([409, 'conflict'])
      expect(await act(aya, 'return')).toBe('submitted')
      expect(await act(aya, 'return'), 'an answer that was lost').toBe('submitted')
      expect(await act(aya, 'approve')).toEqual([409, 'conflict'])
      expect(await act(ben, 'take')).toBe('in_review')
      expect(await act(ben, 'approve')).toBe('approved')
      expect(await acts()).toEqual([
        ['identity.take', aya.id],
        ['identity.return', aya.id],
        ['identity.take', ben.id],
        ['identity.approve', ben.id],
      ])
    })

    test('of two admins who take it at one moment one has it, and the other is refused', async () => {
      const ends = await Promise.all([act(aya, 'take'), act(ben, 'take')])
      expect(ends.map(String).toSorted()).toEqual(['409,conflict', 'in_review'])
    })

    test('a check that was taken a day ago can be taken by another admin', async () => {
      await act(aya, 'take')
      world.clock.now += 24 * 3600 * 1000
      expect(await act(ben, 'take')).toBe('in_review')
      expect(await act(aya, 'approve')).toEqual([409, 'conflict'])
    })

    test('what the person sent and says of themselves is for the admin who took it alone', async () => {
      expect(await opened(aya)).toMatchObject({ evidence: null, takeable: true, reviewer: null })
      await act(aya, 'take')
      expect(await opened(aya)).toMatchObject({
        evidence: { birth_date: '1990-04-01', files: [{}, {}, {}] },
        takeable: false,
        reviewer: { id: aya.id },
      })
      expect(await opened(ben)).toMatchObject({ evidence: null, takeable: false, reviewer: { id: aya.id } })
    })

    test('each list holds what its name says, and every page of a list is in the log', async () => {
      const lists = ['waiting', 'mine', 'others', 'decided']
      const holding = async (as: Member) => {
        const found: string[] = []
        for (const list of lists) {
          const page = await call(world, as, 'GET', `/admin/identity/checks?list=${list}`)
          if (page.json<{ checks: { id: string }[] }>().checks.some((it) => it.id === check)) found.push(list)
        }
        return found
      }
      const before = (await audited(world)).length
      expect(await holding(aya)).toEqual(['waiting'])
      const listed = (await audited(world)).slice(before)
      expect(listed).toEqual(lists.map(() => ({ act: 'identity.list', actor: aya.id, subject: aya.id })))
      await act(aya, 'take')
      expect([await holding(aya), await holding(ben)]).toEqual([['mine'], ['others']])
      await act(aya, 'reject', { reason: 'other' })
      expect([await holding(aya), await holding(ben)]).toEqual([['decided'], ['decided']])
    })

    test('of two admins who decide at one moment one does', async () => {
      await act(aya, 'take')
      const ends = await Promise.all([act(aya, 'approve'), act(aya, 'reject', { reason: 'other' })])
      expect(ends.filter((it) => typeof it === 'string')).toHaveLength(1)
    })

    test('nobody reviews their own', async () => {
      check = await submitted(world, ben)
      expect(await act(ben, 'take')).toEqual([403, 'forbidden'])
      expect(await act(aya, 'take')).toBe('in_review')
    })

    test('a reason that is none, and a note that is too long, are refused', async () => {
      await act(aya, 'take')
      expect(await act(aya, 'reject', { reason: 'ugly' })).toEqual([422, 'invalid'])
      expect(await act(aya, 'reject', { reason: 'other', note: 'あ'.repeat(501) })).toEqual([422, 'invalid'])
      expect(await act(aya, 'reject', { reason: 'other', note: '👩🏽'.repeat(500) })).toBe('rejected')
    })

    test('to everybody else none of it exists', async () => {
      await act(aya, 'take')
      const [file] = await fileIds()
      await act(aya, 'return')
      const paths = [
        ['GET', '/admin/identity/checks'],
        ['GET', `/admin/identity/checks/${check}`],
        ['POST', `/admin/identity/checks/${check}/take`],
        ['POST', `/admin/identity/checks/${check}/return`],
        ['POST', `/admin/identity/checks/${check}/approve`],
        ['POST', `/admin/identity/checks/${check}/reject`],
        ['GET', `/admin/identity/files/${file?.id}`],
      ] as const
      const before = (await audited(world)).length
      for (const [method, path] of paths) {
        const payload = method === 'POST' ? { reason: 'other' } : undefined
        expect(said(await call(world, person, method, path, payload))).toEqual([404, 'not_found'])
        expect(said(await call(world, null, method, path, payload))).toEqual([401, 'unauthenticated'])
      }
      expect((await audited(world)).length).toBe(before)
      expect((await state()).is).toBe('submitted')
    })

    test('a file comes out as it was sent, inert, kept by nobody, and is in the log before it comes', async () => {
      const files = await documents()
      person = await signUp(world)
      check = (await submit(world, person, await prepared(world, person, files))).json().data.id
      await taken()
      for (const { id, part } of await fileIds()) {
        const reply = await call(world, aya, 'GET', `/admin/identity/files/${id}`)
        expect(reply.statusCode).toBe(200)
        expect(reply.rawPayload.equals(files[part as keyof typeof files])).toBe(true)
        expect(reply.headers).toMatchObject({
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; sandbox",
          'content-type': part === 'live' ? 'video/webm' : 'image/jpeg',
          'x-content-type-options': 'nosniff',
        })
        expect((await audited(world)).at(-1)).toEqual({ act: 'identity.view', actor: aya.id, subject: id })
      }
    })

    test('without its entry in the log a file is not shown', async () => {
      await taken()
      const [file] = await fileIds()
      await world.database.executeSql('alter table audit_log rename to audit_log_away')
      const reply = await call(world, aya, 'GET', `/admin/identity/files/${file?.id}`)
      await world.database.executeSql('alter table audit_log_away rename to audit_log')
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
    })

    test('a sealed file that was changed, or exchanged for another, is refused whole', async () => {
      await taken()
      const [front, back] = await fileIds()
      const place = world.deps.files.sealedPath(front?.id ?? '')
      const bytes = await readFile(place)
      const turned = Buffer.from(bytes)
      turned[bytes.length - 3] = (turned[bytes.length - 3] ?? 0) ^ 4
      const other = await readFile(world.deps.files.sealedPath(back?.id ?? ''))
      for (const changed of [turned, bytes.subarray(0, -20), other]) {
        await writeFile(place, changed)
        const reply = await call(world, aya, 'GET', `/admin/identity/files/${front?.id}`)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
      }
    })

    test('one that was changed only at its end is not half shown', async () => {
      const files = await documents()
      const live = Buffer.concat([files.live, Buffer.alloc(700_000)])
      person = await signUp(world)
      check = (await submit(world, person, await prepared(world, person, { ...files, live }))).json().data.id
      await taken()
      const id = (await fileIds()).at(-1)?.id ?? ''
      const place = world.deps.files.sealedPath(id)
      const bytes = await readFile(place)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await writeFile(place, bytes)
      const reply = await call(world, aya, 'GET', `/admin/identity/files/${id}`)
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
    })

    test('names that are paths find no file', async () => {
      for (const id of [newId(), '..%2f..%2fsecret.key', '..', `${newId()}%00`])
        expect((await call(world, aya, 'GET', `/admin/identity/files/${id}`)).statusCode).toBe(404)
    })

    test('the list pages in its order, and misses and repeats nobody', async () => {
      const person2 = await signUp(world)
      const one = await submitted(world, person2)
      await world.database.executeSql(
        `insert into identity_checks (id, user_id, idempotency_key, state, document_kind, prompts, submitted_at)
         select gen_random_uuid(), user_id, gen_random_uuid(), 'rejected', document_kind, prompts, submitted_at
         from identity_checks, generate_series(1, 64) where id = '${one}'`,
      )
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`
        const page = (await call(world, aya, 'GET', `/admin/identity/checks?list=decided${query}`)).json<{
          checks: { id: string }[]
          next: string | null
        }>()
        seen.push(...page.checks.map((it) => it.id))
        cursor = page.next
      } while (cursor !== null)
      const { rows } = await world.database.executeSql(
        `select id from identity_checks where state in ('approved', 'rejected')
         order by submitted_at desc, id desc`,
      )
      expect(seen).toEqual((rows as { id: string }[]).map((it) => it.id))
      expect(seen.length).toBeGreaterThan(60)
      expect(said(await call(world, aya, 'GET', '/admin/identity/checks?cursor=nonsense'))).toEqual([
        422,
        'invalid',
      ])
    })

    const anything = async () => {
      const one = { upload_id: newId(), digest: `${'A'.repeat(43)}=` }
      return { prompts_id: newId(), document_kind: 'passport', front: one, live: one }
    }
  })

  describe.skipIf(!available)('admins', () => {
    test('are those ADMIN_EMAILS names, from one start to the next, and the log says so', async () => {
      const world = await openWorld({ database: kind })
      const [one, two] = [await signUp(world), await signUp(world)]
      const admins = async () => {
        const may = async (it: Member) =>
          (await call(world, it, 'GET', '/admin/identity/checks')).statusCode === 200
        return [await may(one), await may(two)]
      }
      expect(await applyAdmins(world.deps, [one.email, 'nobody@example.com'])).toBe(1)
      expect(await admins()).toEqual([true, false])
      expect(await applyAdmins(world.deps, [one.email])).toBe(0)
      expect(await applyAdmins(world.deps, [two.email])).toBe(2)
      expect(await admins()).toEqual([false, true])
      expect(await applyAdmins(world.deps, [])).toBe(1)
      expect(await admins()).toEqual([false, false])
      const roles = (await audited(world)).filter((it) => it.act !== 'identity.list')
      expect(roles.map((it) => it.act)).toEqual(Array(4).fill('role.set'))
      await world.close()
    })
  })
})
