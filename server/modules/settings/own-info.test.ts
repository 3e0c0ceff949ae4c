// Account information of a person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { findReviewedKana } from '#server/store/payouts/bank-accounts.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const info = {
  name: '花子',
  legal_name: '届 花子',
  legal_name_kana: 'トドケ　ハナコ',
  birth_date: '1992-02-29',
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('own information', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const read = async (by: Member) => (await call(world, by, 'GET', '/auth/info')).json()
    const save = (by: Member, body: object) => call(world, by, 'PUT', '/auth/info', body)

    test('is that of the registration, with empty legal names', async () => {
      const member = await signUp(world, '1990-04-01')
      expect(await read(member)).toEqual({
        name: expect.any(String),
        email: member.email,
        birth_date: '1990-04-01',
        legal_name: '',
        legal_name_kana: '',
        identified: false,
      })
    })

    test('is saved, half-width kana as full-width ones, and the session data has the new name', async () => {
      const member = await signUp(world)
      const reply = await save(member, { ...info, legal_name_kana: ' ﾄﾄﾞｹ ﾊﾅｺ ' })
      expect(reply.json()).toEqual({ ...info, email: member.email, identified: false })
      expect(await read(member)).toEqual(reply.json())
      expect((await call(world, member, 'GET', '/auth/session')).json().user.name).toBe('花子')
    })

    test('the legal names may stay empty', async () => {
      const member = await signUp(world)
      const reply = await save(member, { ...info, legal_name: '', legal_name_kana: '' })
      expect([reply.statusCode, reply.json().legal_name_kana]).toEqual([200, ''])
    })

    test('name and reading are saved alone, and neither may be empty', async () => {
      const member = await signUp(world)
      const before = await save(member, info)
      const put = (body: object) => call(world, member, 'PUT', '/auth/legal-name', body)
      const named = { legal_name: '届 太郎', legal_name_kana: 'トドケ　タロウ' }
      expect((await put(named)).json()).toEqual({ ...before.json(), ...named })
      for (const field of ['legal_name', 'legal_name_kana']) {
        const reply = await put({ ...named, [field]: ' ' })
        expect([reply.statusCode, errorOf(reply).fields]).toEqual([422, { [field]: 'required' }])
      }
      expect(await read(member)).toMatchObject(named)
      expect((await call(world, null, 'PUT', '/auth/legal-name', named)).statusCode).toBe(401)
    })

    test('a change that waited for an approval is after it', async () => {
      const member = await signUp(world)
      const at = new Date(world.clock.now + 1000)
      await world.database.executeSql('update users set identified_at = $1 where id = $2', [
        at.toISOString(),
        member.id,
      ])
      const named = { legal_name: '届 太郎', legal_name_kana: 'トドケ　タロウ' }
      await call(world, member, 'PUT', '/auth/legal-name', named)
      expect(await findReviewedKana(world.deps.db, member.id)).toBe('')
    })

    test.each([
      [{ name: ' ' }, { name: 'required' }],
      [{ name: '名'.repeat(51) }, { name: 'too_long' }],
      [{ legal_name: '届'.repeat(51) }, { legal_name: 'too_long' }],
      [{ legal_name_kana: 'とどけ' }, { legal_name_kana: 'account_name' }],
      [{ birth_date: '2015-01-01' }, { birth_date: 'under_age' }],
      [{ birth_date: '1992-02-30' }, { birth_date: 'malformed' }],
    ])('refuses %j', async (change, fields) => {
      const reply = await save(await signUp(world), { ...info, ...change })
      expect([reply.statusCode, errorOf(reply)]).toEqual([422, { code: 'invalid', fields }])
    })

    test('role, email address and the result of an identity check cannot be changed', async () => {
      const member = await signUp(world)
      const reply = await save(member, {
        ...info,
        email: 'other@example.com',
        role: 'admin',
        identified: true,
        identified_at: '2026-01-01T00:00:00.000Z',
      })
      expect(reply.json()).toMatchObject({ email: member.email, identified: false })
      const { rows } = await world.database.executeSql(
        'select role, identified_at from users where id = $1',
        [member.id],
      )
      expect(rows).toEqual([{ role: 'member', identified_at: null }])
    })

    test('after an identity check the birth date is locked, and a change with another one saves nothing', async () => {
      const member = await signUp(world, '1990-04-01')
      await world.database.executeSql('update users set identified_at = now() where id = $1', [member.id])
      const refused = await save(member, info)
      expect(errorOf(refused)).toEqual({ code: 'invalid', fields: { birth_date: 'locked' } })
      expect(await read(member)).toMatchObject({ birth_date: '1990-04-01', legal_name: '', identified: true })
      const saved = await save(member, { ...info, birth_date: '1990-04-01' })
      expect(saved.json()).toMatchObject({ name: '花子', birth_date: '1990-04-01', identified: true })
    })
  })
})
