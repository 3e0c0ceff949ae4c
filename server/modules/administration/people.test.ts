// People for staff: search, a person's page by role, and acts on their sign-in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maySee, personParts } from '#contract/administration/person-parts.ts'
import { type Role } from '#contract/administration/role-names.ts'
import { newId } from '#contract/ids.ts'
import { reindexPerson } from '#server/services/search/search-index.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { identify } from '#server/testing/people/identity.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Member, signInAgain, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { endSessionsOf } from './person-acts.ts'

const MINUTE = 60_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('people for staff', () => {
    let world: World
    let [admin, moderator, finance, person] = [] as unknown as [Member, Member, Member, Member]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    const withRole = async (role: Role): Promise<Member> => {
      const it = await signUp(world)
      await world.database.executeSql('update users set role = $2 where id = $1', [it.id, role])
      await identify(world, it)
      return it
    }
    beforeEach(async () => {
      admin = await withRole('admin')
      moderator = await withRole('moderator')
      finance = await withRole('finance')
      person = await signUp(world)
    })

    const rename = async (it: Member, name: string, handle: string | null = null) => {
      await world.database.executeSql('update users set name = $2, handle = $3 where id = $1', [
        it.id,
        name,
        handle,
      ])
      await reindexPerson(world.deps.db, it.id)
    }
    const search = async (q: string, as = admin) =>
      (await call(world, as, 'GET', `/admin/people?q=${encodeURIComponent(q)}`)).json()
    const found = async (q: string) => (await search(q)).people.map((it: { id: string }) => it.id)
    const page = async (as: Member, id = person.id) =>
      (await call(world, as, 'GET', `/admin/people/${id}`)).json()
    const act = (as: Member | null, name: string, of: Member, body: object = { reason: 'owner_asked' }) =>
      call(world, as, 'POST', `/admin/people/${of.id}/${name}`, body)
    const entries = async (name: string, subject: string) =>
      (
        await world.database.executeSql(
          'select actor_id as actor, detail from audit_log where act = $1 and subject_id = $2 order by seq',
          [name, subject],
        )
      ).rows
    const addPasskey = (of: Member) =>
      world.database.executeSql(
        `insert into passkeys (id, user_id, public_key, counter, transports, backed_up, name, created_at)
         values ($1, $2, 'k', 0, '[]', false, '鍵', now())`,
        [newId(), of.id],
      )

    test('are found by handle with and without @, by address, id, and parts of the name', async () => {
      const handle = `h${newId().slice(-12)}`
      await rename(person, '汐見はる子', handle)
      for (const q of [
        handle,
        `@${handle.toUpperCase()}`,
        person.email,
        ` ${person.id} `,
        '汐見はる',
        'はる子 汐見',
      ])
        expect([q, await found(q)]).toEqual([q, [person.id]])
      for (const q of [person.email.slice(1), '汐見なつ', newId(), '@', '%'])
        expect([q, await found(q)]).toEqual([q, []])
    })

    test('with the whole name come before those with a longer one, suspended and leaving ones with their state', async () => {
      const [longer, suspended] = [await signUp(world), await signUp(world)]
      await rename(person, '雪代')
      await rename(longer, '雪代ゆき')
      await rename(suspended, 'あの雪代')
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [suspended.id])
      const { people } = await search('雪代')
      expect(people.map((it: { id: string; state: string }) => [it.id, it.state])).toEqual([
        [person.id, 'present'],
        [longer.id, 'present'],
        [suspended.id, 'suspended'],
      ])
      expect(await entries('people.search', admin.id)).toMatchObject([
        { detail: { people: people.map((it: { id: string }) => it.id) } },
      ])
    })

    test('have a page whose parts are those of the role, and each opening is audited', async () => {
      for (const [role, as] of Object.entries({ admin, moderator, finance }) as [Role, Member][]) {
        const it = await page(as)
        const shown = personParts.filter((part) => it[part] !== null)
        expect([role, shown]).toEqual([role, personParts.filter((part) => maySee(role, part))])
      }
      expect((await entries('person.read', person.id)).map((it) => (it as { actor: string }).actor)).toEqual([
        admin.id,
        moderator.id,
        finance.id,
      ])
      const text = JSON.stringify({ ...(await page(admin)), history: null })
      expect(text).not.toContain(person.email)
      expect(text).not.toContain(person.token)
      expect(text).not.toContain('127.0.0.1')
      expect(outcomeOf(await call(world, admin, 'GET', `/admin/people/${newId()}`))).toBe('not_found')
    })

    test('have their whole address shown to admins alone, after a validation, and it is audited', async () => {
      expect((await act(admin, 'email', person)).json()).toEqual({ email: person.email })
      expect(await entries('person.read_email', person.id)).toHaveLength(1)
      for (const it of [moderator, finance, person])
        expect(outcomeOf(await act(it, 'email', person))).toBe('not_found')
      world.clock.now += 10 * MINUTE
      expect(outcomeOf(await act(admin, 'email', person))).toBe('validation_required')
      expect(await entries('person.read_email', person.id)).toHaveLength(1)
    })

    test('are signed out of every session and informed by email why', async () => {
      const again = await signInAgain(world, person)
      expect((await act(moderator, 'end-sessions', person, { reason: 'account_taken' })).json()).toEqual({
        data: { count: 2 },
      })
      for (const it of [person, again])
        expect(outcomeOf(await call(world, it, 'GET', '/auth/session'))).toBe('unauthenticated')
      expect(await entries('person.end_sessions', person.id)).toEqual([
        { actor: moderator.id, detail: { reason: 'account_taken', count: 2 } },
      ])
      expect(await emailsTo(world, person.email)).toEqual([
        { is: 'staff_act', act: 'end_sessions', reason: 'account_taken', at: world.clock.now },
      ])
    })

    test('lose all their passkeys, which others keep', async () => {
      const other = await signUp(world)
      for (const it of [person, person, other]) await addPasskey(it)
      expect((await act(admin, 'remove-passkeys', person)).json()).toEqual({ data: { count: 2 } })
      const { rows } = await world.database.executeSql(
        'select user_id as id from passkeys where user_id in ($1, $2)',
        [person.id, other.id],
      )
      expect(rows).toEqual([{ id: other.id }])
    })

    test.each(['end-sessions', 'remove-passkeys'])(
      '%s requires a validation and a listed reason, and is refused on oneself and on equal and higher roles',
      async (name) => {
        const peer = await withRole('moderator')
        for (const it of [moderator, peer, finance, admin])
          expect(outcomeOf(await act(moderator, name, it))).toBe('forbidden')
        expect(outcomeOf(await act(admin, name, admin))).toBe('forbidden')
        expect(outcomeOf(await act(finance, name, person))).toBe('not_found')
        expect(outcomeOf(await act(moderator, name, { ...person, id: newId() }))).toBe('not_found')
        for (const body of [{}, { reason: 'なんとなく' }])
          expect(outcomeOf(await act(moderator, name, person, body))).toBe('invalid')
        world.clock.now += 10 * MINUTE
        expect(outcomeOf(await act(moderator, name, person))).toBe('validation_required')
        expect(await entries(`person.${name.replace('-', '_')}`, person.id)).toEqual([])
        await identify(world, admin)
        expect(outcomeOf(await act(admin, name, peer))).toBe(200)
      },
    )

    test('are neither shown nor signed out while the audit log cannot be written', async () => {
      await world.database.executeSql(
        `alter table audit_log add constraint none check (act not like 'pe%') not valid`,
      )
      const replies = [
        await call(world, admin, 'GET', `/admin/people?q=${person.email}`),
        await call(world, admin, 'GET', `/admin/people/${person.id}`),
        await act(admin, 'email', person),
        await act(admin, 'end-sessions', person),
      ]
      await world.database.executeSql('alter table audit_log drop constraint none')
      for (const it of replies) {
        expect(outcomeOf(it)).toBe('internal')
        expect(it.body).not.toContain(person.email)
      }
      expect(outcomeOf(await call(world, person, 'GET', '/auth/session'))).toBe(200)
      expect(await emailsTo(world, person.email)).toEqual([])
    })

    test('are left alone by a member of staff who lost the role since the request began', async () => {
      await world.database.executeSql(`update users set role = 'member' where id = $1`, [moderator.id])
      const late = { by: moderator.id, person: person.id, reason: 'owner_asked', ip: '' } as const
      await expect(endSessionsOf(world.deps, late)).rejects.toThrow('not_found')
      expect(outcomeOf(await call(world, person, 'GET', '/auth/session'))).toBe(200)
    })
  })
})
