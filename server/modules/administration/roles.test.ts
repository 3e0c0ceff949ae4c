// Roles of staff: which endpoints each reaches, and how roles are given and taken.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { areas, mayUse } from '#contract/administration/areas.ts'
import { type Role, roleNames } from '#contract/administration/role-names.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { audited, identify } from '#server/testing/people/identity.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import type { ApiError } from '#server/http/errors.ts'
import { applyAdmins, changeRole } from './roles.ts'

const MINUTE = 60_000

let world: World

async function withRole(role: Role): Promise<Member> {
  const person = await signUp(world)
  await world.database.executeSql('update users set role = $2 where id = $1', [person.id, role])
  await identify(world, person)
  return person
}
const roleOf = async ({ id }: Member): Promise<Role> => {
  const { rows } = await world.database.executeSql('select role from users where id = $1', [id])
  return (rows[0] as { role: Role }).role
}

const staffEndpoints = endpoints.flatMap((it) => {
  const area = areas.find((one) => it.audience === `staff:${one}`)
  return area ? [{ ...it, area }] : []
})

/** Calls an endpoint with parameters and a body that it refuses, so that nothing is done. */
const attempt = (as: Member | null, { method, path }: (typeof staffEndpoints)[number]) =>
  call(
    world,
    as,
    method,
    path.replaceAll(/:[a-z_]+/g, 'x'),
    method === 'GET' ? undefined : { role: 5, reason: 5 },
  )

describe('each endpoint of staff', () => {
  const people: Record<string, Member | null> = { visitor: null }
  beforeAll(async () => {
    world = await openWorld()
    for (const role of roleNames) people[role] = await withRole(role)
    for (const role of ['admin', 'moderator', 'finance'] as const) {
      const [suspended, leaving, unconfirmed] = [
        await withRole(role),
        await withRole(role),
        await withRole(role),
      ]
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [suspended.id])
      await leave(world, leaving)
      await world.database.executeSql('update sessions set validated_at = null where user_id = $1', [
        unconfirmed.id,
      ])
      Object.assign(people, { [`suspended ${role}`]: suspended, [`leaving ${role}`]: leaving })
      people[`${role} without a validation`] = unconfirmed
    }
    const demoted = await withRole('admin')
    await world.database.executeSql(`update users set role = 'member' where id = $1`, [demoted.id])
    people['former admin'] = demoted
    return () => world.close()
  })

  const refusals: Record<string, string> = {
    visitor: 'unauthenticated',
    member: 'not_found',
    'former admin': 'not_found',
    ...Object.fromEntries(
      ['admin', 'moderator', 'finance'].flatMap((role) => [
        [`suspended ${role}`, 'suspended'],
        [`leaving ${role}`, 'leaving'],
      ]),
    ),
  }

  test.each(staffEndpoints.map((it) => [it.name, it] as const))('%s', async (_, it) => {
    const before = (await audited(world)).length
    for (const [who, code] of Object.entries(refusals))
      expect([who, outcomeOf(await attempt(people[who] ?? null, it))]).toEqual([who, code])
    for (const role of ['moderator', 'finance'] as const) {
      if (mayUse(role, it.area)) continue
      for (const who of [role, `${role} without a validation`])
        expect([who, outcomeOf(await attempt(people[who] ?? null, it))]).toEqual([who, 'not_found'])
    }
    // Nothing that was refused is in the audit log.
    expect((await audited(world)).length).toBe(before)
    for (const role of ['admin', 'moderator', 'finance'] as const) {
      if (!mayUse(role, it.area)) continue
      const reached = outcomeOf(await attempt(people[role] ?? null, it))
      // A body that is not multipart is refused before anything else.
      const parsed = it.encoding === 'multipart' ? 'bad_request' : 'invalid'
      expect([role, reached === 200 || reached === parsed || reached === 'validation_required']).toEqual([
        role,
        true,
      ])
    }
  })

  test('is of an area that its roles reach', () => {
    expect(staffEndpoints.length).toBeGreaterThan(30)
    const reached = (role: Role) => areas.filter((it) => mayUse(role, it))
    expect(roleNames.map((role) => [role, reached(role)])).toEqual([
      ['member', []],
      ['admin', [...areas]],
      ['moderator', ['desk', 'notices', 'person', 'people', 'reports']],
      ['finance', ['desk', 'person', 'money']],
    ])
  })
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the desk', () => {
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const waitingFor = async (as: Member) =>
      (await call(world, as, 'GET', '/admin/desk')).json().waiting as { kind: string; count: number }[]

    test('counts what waits for a role, and since when, and nothing of other roles', async () => {
      const [admin, moderator, finance] = [
        await withRole('admin'),
        await withRole('moderator'),
        await withRole('finance'),
      ]
      const [reader, author] = [await signUp(world), await signUp(world)]
      expect((await waitingFor(admin)).map((it) => it.count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
      const at = new Date(world.clock.now).toISOString()
      await call(world, reader, 'PUT', `/reports/person/${author.id}`, { reason: 'spam' })
      await call(world, reader, 'PUT', `/reports/person/${finance.id}`, { reason: 'spam' })
      expect((await waitingFor(admin))[0]).toEqual({ kind: 'reports', count: 2, since: at })
      const kinds = async (as: Member) => (await waitingFor(as)).map((it) => it.kind)
      expect(await kinds(moderator)).toEqual(['reports', 'appeals', 'sellers', 'requests'])
      expect(await kinds(finance)).toEqual(['payouts', 'tasks'])
    })
  })

  describe.skipIf(!available)('a role', () => {
    let admin: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await world.database.executeSql(`update users set role = 'member'`)
      admin = await withRole('admin')
    })
    const set = (as: Member | null, person: string, role: string) =>
      call(world, as, 'POST', '/admin/staff', { person, role })
    const changes = async () => (await audited(world)).filter((it) => it.act === 'role.set')

    test('is given by handle, address and id, listed, taken again, and each change is audited', async () => {
      const [one, two, three] = [await signUp(world), await signUp(world), await signUp(world)]
      await world.database.executeSql(`update users set handle = 'moderation_1' where id = $1`, [one.id])
      const before = (await changes()).length
      expect(outcomeOf(await set(admin, '@Moderation_1', 'moderator'))).toBe(200)
      expect(outcomeOf(await set(admin, ` ${two.email.toUpperCase()} `, 'finance'))).toBe(200)
      expect(outcomeOf(await set(admin, three.id, 'admin'))).toBe(200)
      const list = async () =>
        (await call(world, three, 'GET', '/admin/staff'))
          .json()
          .staff.map((it: { id: string; role: Role }) => [it.id, it.role])
      expect((await list()).slice(0, 2).map(([, role]: [string, Role]) => role)).toEqual(['admin', 'admin'])
      expect((await list()).slice(2)).toEqual([
        [one.id, 'moderator'],
        [two.id, 'finance'],
      ])
      expect(outcomeOf(await set(admin, one.id, 'member'))).toBe(200)
      expect([await roleOf(one), await roleOf(two), await roleOf(three)]).toEqual([
        'member',
        'finance',
        'admin',
      ])
      expect((await changes()).length - before).toBe(4)
      // The same role again changes nothing, and is not audited.
      expect(outcomeOf(await set(admin, two.id, 'finance'))).toBe(200)
      expect((await changes()).length - before).toBe(4)
    })

    test('requires a validation of the last ten minutes', async () => {
      const person = await signUp(world)
      world.clock.now += 10 * MINUTE
      expect(outcomeOf(await set(admin, person.id, 'moderator'))).toBe('validation_required')
      expect(await roleOf(person)).toBe('member')
    })

    test('is not given to a person who does not exist, is suspended or leaving', async () => {
      const [suspended, leaving] = [await signUp(world), await signUp(world)]
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [suspended.id])
      await leave(world, leaving)
      for (const person of ['unknown_handle', 'unknown@example.com', suspended.id, leaving.id])
        expect((await set(admin, person, 'admin')).json().error.fields).toEqual({ person: 'unknown_person' })
      for (const person of ['', ' '.repeat(3), 'a'.repeat(400)])
        expect(outcomeOf(await set(admin, person, 'admin'))).toBe('invalid')
    })

    test('of the last admin who can act is not taken, also when two admins take each other’s at once', async () => {
      expect(outcomeOf(await set(admin, admin.id, 'member'))).toBe('conflict')
      const suspended = await withRole('admin')
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [suspended.id])
      expect(outcomeOf(await set(admin, admin.id, 'finance'))).toBe('conflict')
      const other = await withRole('admin')
      // Both are past the check of their role when the first change begins.
      const take = (by: Member, from: Member) =>
        changeRole(world.deps, { by: by.id, person: from.id, role: 'member', ip: '' })
      const both = await Promise.allSettled([take(admin, other), take(other, admin)])
      const refused = both.flatMap((it) => (it.status === 'rejected' ? [(it.reason as ApiError).code] : []))
      expect(refused).toEqual(['not_found'])
      expect([await roleOf(admin), await roleOf(other)].toSorted()).toEqual(['admin', 'member'])
    })

    test('is given at a start by ADMIN_EMAILS, and never taken by it', async () => {
      const [one, two] = [await signUp(world), await signUp(world)]
      const before = (await changes()).length
      expect(await applyAdmins(world.deps, [one.email, 'nobody@example.com'])).toBe(1)
      expect(await applyAdmins(world.deps, [one.email])).toBe(0)
      expect(await applyAdmins(world.deps, [two.email])).toBe(1)
      expect(await applyAdmins(world.deps, [])).toBe(0)
      expect([await roleOf(one), await roleOf(two), await roleOf(admin)]).toEqual(['admin', 'admin', 'admin'])
      expect((await changes()).length - before).toBe(2)
    })
  })
})
