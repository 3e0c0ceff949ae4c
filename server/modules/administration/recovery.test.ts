// Recovery of people who cannot sign in: link, waiting time, and stops.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '#contract/administration/role-names.ts'
import { newId } from '#contract/ids.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { identify } from '#server/testing/people/identity.ts'
import { call, identify as approve, type Member, signUp } from '#server/testing/people/members.ts'
import { passkeysIn } from '#server/testing/people/passkeys.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepRecoveries } from './recovery.ts'

const HOUR = 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a recovery', () => {
    let world: World
    let [moderator, person] = [] as unknown as [Member, Member]
    const passkeys = passkeysIn(() => world)
    let signInByPasskey: () => Promise<unknown>
    const withRole = async (role: Role): Promise<Member> => {
      const it = await signUp(world)
      await world.database.executeSql('update users set role = $2 where id = $1', [it.id, role])
      await identify(world, it)
      return it
    }
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      moderator = await withRole('moderator')
      const { member, key } = await passkeys.withPasskey()
      person = member
      signInByPasskey = () => passkeys.signIn(key)
      await world.database.executeSql(
        `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())`,
        [person.id],
      )
    })

    const begin = (proof = 'account_email', as = moderator, of = person.id) =>
      call(world, as, 'POST', `/admin/people/${of}/recovery`, { proof })
    const post = (path: 'confirm' | 'stop', token: string) =>
      call(world, null, 'POST', `/auth/recovery/${path}`, { token })
    const secretOf = async (kindOfEmail: 'recovery_begun' | 'recovery_confirmed'): Promise<string> => {
      const urls = (await emailsTo(world, person.email)).flatMap((it) =>
        it.is === 'recovery_begun'
          ? [[it.is, it.url]]
          : it.is === 'recovery_confirmed'
            ? [[it.is, it.stopUrl]]
            : [],
      )
      return (
        urls
          .findLast(([is]) => is === kindOfEmail)?.[1]
          ?.split('=')
          .at(-1) ?? ''
      )
    }
    const left = async () => {
      const { rows } = await world.database.executeSql(
        `select (select count(*)::int from passkeys where user_id = $1) as passkeys,
           (select count(*)::int from second_factors where user_id = $1) as factors,
           (select count(*)::int from sessions where user_id = $1) as sessions`,
        [person.id],
      )
      return rows[0]
    }
    const acts = async () => {
      const { rows } = await world.database.executeSql(
        `select act from audit_log where subject_id = $1 and act like 'recovery.%' order by seq`,
        [person.id],
      )
      return rows.map((it) => (it as { act: string }).act)
    }
    const confirmed = async () => {
      await begin()
      await post('confirm', await secretOf('recovery_begun'))
      return secretOf('recovery_confirmed')
    }

    test('ends all sessions when its link is used, and removes passkeys and second factor a day later', async () => {
      expect(outcomeOf(await begin())).toBe(200)
      expect(await left()).toMatchObject({ passkeys: 1, factors: 1, sessions: 1 })
      const reply = await post('confirm', await secretOf('recovery_begun'))
      const due = world.clock.now + 24 * HOUR
      expect(reply.json()).toEqual({ due_at: new Date(due).toISOString() })
      expect(await left()).toEqual({ passkeys: 1, factors: 1, sessions: 0 })
      world.clock.now = due - 1
      await sweepRecoveries(world.deps)
      expect(await left()).toEqual({ passkeys: 1, factors: 1, sessions: 0 })
      world.clock.now = due
      await Promise.all([sweepRecoveries(world.deps), sweepRecoveries(world.deps)])
      expect(await left()).toEqual({ passkeys: 0, factors: 0, sessions: 0 })
      expect(await acts()).toEqual(['recovery.begin', 'recovery.confirm', 'recovery.finish'])
      expect((await emailsTo(world, person.email)).map((it) => it.is).slice(-3)).toEqual([
        'recovery_begun',
        'recovery_confirmed',
        'recovery_done',
      ])
    })

    test('has a link that is valid once, for a day, and not after a newer one', async () => {
      await begin()
      const [first] = [await secretOf('recovery_begun')]
      await begin()
      const second = await secretOf('recovery_begun')
      expect(outcomeOf(await post('confirm', first))).toBe('link_invalid')
      const both = await Promise.all([post('confirm', second), post('confirm', second)])
      expect(both.map(outcomeOf).toSorted()).toEqual([200, 'link_invalid'])
      await post('stop', await secretOf('recovery_confirmed'))
      await begin()
      world.clock.now += 24 * HOUR
      expect(outcomeOf(await post('confirm', await secretOf('recovery_begun')))).toBe('link_invalid')
      for (const it of ['x', newId(), ''])
        expect([404, 410, 422]).toContain((await post('confirm', it)).statusCode)
    })

    test('is stopped by the link in the second email, and nothing is removed', async () => {
      const stop = await confirmed()
      expect(outcomeOf(await post('stop', stop))).toBe(200)
      expect(outcomeOf(await post('stop', stop))).toBe('link_invalid')
      world.clock.now += 25 * HOUR
      await sweepRecoveries(world.deps)
      expect(await left()).toMatchObject({ passkeys: 1, factors: 1 })
      expect(await acts()).toEqual(['recovery.begin', 'recovery.confirm', 'recovery.stop'])
    })

    test('is stopped when the person signs in by a passkey', async () => {
      await confirmed()
      await signInByPasskey()
      world.clock.now += 25 * HOUR
      await sweepRecoveries(world.deps)
      expect(await left()).toMatchObject({ passkeys: 1, factors: 1, sessions: 1 })
    })

    test('is begun after a validation, for members, by those who may, and not twice', async () => {
      const [peer, finance] = [await withRole('moderator'), await withRole('finance')]
      expect(outcomeOf(await begin('account_email', moderator, peer.id))).toBe('forbidden')
      expect(outcomeOf(await begin('account_email', moderator, moderator.id))).toBe('forbidden')
      expect(outcomeOf(await begin('account_email', finance))).toBe('not_found')
      expect(outcomeOf(await begin('friendship'))).toBe('invalid')
      expect(outcomeOf(await begin('identity_check'))).toBe('identity_required')
      await approve(world, person)
      expect(outcomeOf(await begin('identity_check'))).toBe(200)
      await post('confirm', await secretOf('recovery_begun'))
      expect(outcomeOf(await begin())).toBe('conflict')
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [person.id])
      expect(outcomeOf(await begin())).toBe('conflict')
      world.clock.now += 10 * 60_000
      expect(outcomeOf(await begin())).toBe('validation_required')
    })
  })
})
