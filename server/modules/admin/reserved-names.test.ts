// Names that imitate the operator: refused to members, listed for admins, never changed automatically.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, audited } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reserved names', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const profile = { name: '汐見はる', handle: '', bio: '', links: [] as string[] }
    const saveProfile = (by: Member, changes: object) =>
      call(world, by, 'PUT', '/profile', { ...profile, ...changes })
    const list = (by: Member | null, query = '') => call(world, by, 'GET', `/admin/reserved-names${query}`)
    const memberNamed = async (name: string, handle: string | null) => {
      const member = await signUp(world)
      await world.database.executeSql('update users set name = $1, handle = $2 where id = $3', [
        name,
        handle,
        member.id,
      ])
      return member
    }

    test('are refused to members at registration, in the profile and in the account', async () => {
      const me = await signUp(world)
      const registration = {
        email: 'posing@example.com',
        password: 'todoke-1234',
        name: 'とどけ公式',
        birth_date: '1990-01-01',
        terms: true,
      }
      const refused = { code: 'invalid', fields: { name: 'reserved' } }
      expect(errorOf(await call(world, null, 'POST', '/auth/sign-up', registration))).toEqual(refused)
      expect(errorOf(await saveProfile(me, { name: 'トドケ　運営' }))).toEqual(refused)
      const info = { name: 'tоdоkе', legal_name: '', legal_name_kana: '', birth_date: '1990-04-01' }
      expect(errorOf(await call(world, me, 'PUT', '/auth/info', info))).toEqual(refused)
      for (const handle of ['todoke_official', 'admin_tanaka', 't0d0ke'])
        expect(errorOf(await saveProfile(me, { handle })).fields).toEqual({ handle: 'reserved' })
      const free = await call(world, me, 'GET', '/profile/handle?handle=todoke_official')
      expect(free.json()).toEqual({ free: false, reserved: true })
    })

    test('are allowed for admins', async () => {
      const operator = await admin(world)
      expect((await saveProfile(operator, { name: 'とどけ運営', handle: 'todoke_support' })).statusCode).toBe(
        200,
      )
    })

    test('stay with a member who has one, who can change the rest and is listed for admins', async () => {
      const holder = await memberNamed('とどけ公式', 'admin_old')
      const innocent = await memberNamed('とどけるひと', 'adminton')
      const changed = await saveProfile(holder, {
        name: 'とどけ公式',
        handle: 'admin_old',
        bio: '絵を描きます',
      })
      expect(changed.json()).toMatchObject({ name: 'とどけ公式', handle: 'admin_old', bio: '絵を描きます' })
      const operator = await admin(world)
      const { people, next } = (await list(operator)).json()
      expect(next).toBeNull()
      expect(people).toContainEqual({
        id: holder.id,
        name: 'とどけ公式',
        handle: 'admin_old',
        name_reason: 'brand',
        handle_reason: 'admin',
        created_at: expect.any(String),
      })
      const ids = people.map((it: { id: string }) => it.id)
      expect(ids).not.toContain(innocent.id)
      expect(ids).not.toContain(operator.id)
      expect((await list(operator, `?cursor=${holder.id}`)).json().people).not.toContainEqual(
        expect.objectContaining({ id: holder.id }),
      )
    })

    test('are listed for admins only, and each reading is in the audit log', async () => {
      const [member, operator] = [await signUp(world), await admin(world)]
      expect([(await list(null)).statusCode, (await list(member)).statusCode]).toEqual([401, 404])
      await list(operator)
      const entries = (await audited(world)).filter((it) => it.actor === operator.id)
      expect(entries.map((it) => it.act)).toEqual(['reserved_names.read'])
    })
  })
})
