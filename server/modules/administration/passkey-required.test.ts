// Once an admin has a passkey, staff reach their endpoints only by one.
import { beforeEach, describe, expect, test } from 'vitest'
import { areas, mayUse } from '#contract/administration/areas.ts'
import { type Role, staffRoles } from '#contract/administration/role-names.ts'
import { endpoints } from '#contract/api.ts'
import { assert, type Authenticator, newAuthenticator } from '#server/testing/clients/authenticator.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { identify } from '#server/testing/people/identity.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { passkeysIn } from '#server/testing/people/passkeys.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
const passkeys = passkeysIn(() => world)

async function withRole(role: Role): Promise<Member> {
  const it = await signUp(world)
  await world.database.executeSql('update users set role = $2 where id = $1', [it.id, role])
  await identify(world, it)
  return it
}
async function addKey(person: Member): Promise<Authenticator> {
  const key = newAuthenticator(person.id)
  expect((await passkeys.register(person, key)).statusCode).toBe(200)
  return key
}
const desk = async (as: Member) => outcomeOf(await call(world, as, 'GET', '/admin/desk'))
async function validate(as: Member, key: Authenticator): Promise<void> {
  const { challenge_id, options } = await passkeys.ask(as, '/auth/validation/passkey')
  const response = assert(key, options.challenge)
  expect((await passkeys.post(as, '/auth/validation/passkey', { challenge_id, response })).statusCode).toBe(
    200,
  )
}

beforeEach(async () => {
  world = await openWorld()
  return () => world.close()
})

test.each([
  ['no admin has a passkey', 'none', 200],
  ['a moderator and a member have one', 'others', 200],
  ['an admin has one', 'admin', 'passkey_required'],
] as const)('while %s, a session by password reaches the desk or not', async (_, who, expected) => {
  const [admin, moderator, member] = [
    await withRole('admin'),
    await withRole('moderator'),
    await withRole('member'),
  ]
  if (who === 'others') for (const it of [moderator, member]) await addKey(it)
  if (who === 'admin') await addKey(admin)
  for (const it of [admin, moderator, await withRole('finance')]) expect(await desk(it)).toBe(expected)
  expect(await desk(member)).toBe('not_found')
})

describe('while an admin has a passkey', () => {
  let admin: Member
  let key: Authenticator
  beforeEach(async () => {
    admin = await withRole('admin')
    key = await addKey(admin)
  })

  test('every endpoint of staff refuses a session by password, validated or not, and others see what they saw', async () => {
    const staff = new Map<Role, Member>()
    for (const role of staffRoles) staff.set(role, await withRole(role))
    const member = await withRole('member')
    const late = await withRole('admin')
    await world.database.executeSql('update sessions set validated_at = null where user_id = $1', [late.id])
    const outcomes = new Set<unknown>()
    for (const it of endpoints) {
      const area = areas.find((one) => it.audience === `staff:${one}`)
      if (!area) continue
      const attempt = async (as: Member) =>
        outcomeOf(
          await call(
            world,
            as,
            it.method,
            it.path.replaceAll(/:[a-z_]+/g, 'x'),
            it.method === 'GET' ? undefined : {},
          ),
        )
      for (const [role, as] of staff)
        expect([it.name, role, await attempt(as)]).toEqual([
          it.name,
          role,
          mayUse(role, area) ? 'passkey_required' : 'not_found',
        ])
      expect([it.name, await attempt(member), await attempt(late)]).toEqual([
        it.name,
        'not_found',
        'passkey_required',
      ])
      outcomes.add(it.name)
    }
    expect(outcomes.size).toBeGreaterThan(35)
    for (const path of ['/admin/audit.csv'])
      expect(outcomeOf(await call(world, admin, 'GET', path))).toBe('passkey_required')
  })

  test('a session that a passkey opened or validated reaches them', async () => {
    const opened = (await passkeys.signIn(key)).json<{ token: string }>().token
    expect(await desk({ ...admin, auth: { authorization: `Bearer ${opened}` } })).toBe(200)
    expect(await desk(admin)).toBe('passkey_required')
    await validate(admin, key)
    expect(await desk(admin)).toBe(200)
  })

  test('staff without a passkey set one, and validate by it', async () => {
    const moderator = await withRole('moderator')
    const own = await addKey(moderator)
    expect(await desk(moderator)).toBe('passkey_required')
    await validate(moderator, own)
    expect(await desk(moderator)).toBe(200)
  })

  test('a password alone neither adds a second passkey of staff nor removes the one that is required', async () => {
    const another = newAuthenticator(admin.id)
    const asked = await passkeys.ask(admin, '/auth/passkeys')
    expect(asked).toEqual({ error: { code: 'passkey_required' } })
    expect((await call(world, admin, 'DELETE', `/auth/passkeys/${key.id}`)).json().error.code).toBe(
      'passkey_required',
    )
    await validate(admin, key)
    expect((await passkeys.register(admin, another)).statusCode).toBe(200)
  })

  test('members add and remove passkeys by their password', async () => {
    const { member } = await passkeys.withPasskey()
    const second = newAuthenticator(member.id)
    expect((await passkeys.register(member, second)).statusCode).toBe(200)
    expect(outcomeOf(await call(world, member, 'DELETE', `/auth/passkeys/${second.id}`))).toBe(200)
  })
})
