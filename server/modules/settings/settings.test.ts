// Settings: stored per person, changed one at a time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageFrom } from '#contract/accounts/settings.ts'
import { settingCodes } from '#contract/notifications/setting-codes.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const channels = (in_app: boolean, push: boolean, mail: boolean) => ({ in_app, push, mail })

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('settings', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    test('a new member gets every kind of notification in the app and as a push, not by email', async () => {
      const member = await signUp(world)
      const reply = await call(world, member, 'GET', '/settings/notification')
      expect(reply.json()).toEqual({
        settings: settingCodes.map((setting_cd) => ({ setting_cd, ...channels(true, true, false) })),
      })
    })

    test('a change of one channel of one kind changes nothing else, also for other members', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      const off = await call(world, member, 'PATCH', '/settings/notification/like_post', { push: false })
      expect(off.json()).toEqual({ setting_cd: 'like_post', ...channels(true, false, false) })
      await call(world, member, 'PATCH', '/settings/notification/like_post', { mail: true })
      const own = (await call(world, member, 'GET', '/settings/notification')).json()
      const changed = own.settings.filter((it: { push: boolean; mail: boolean }) => !it.push || it.mail)
      expect(changed).toEqual([{ setting_cd: 'like_post', ...channels(true, false, true) }])
      const others = (await call(world, other, 'GET', '/settings/notification')).json()
      expect(others.settings.every((it: { push: boolean }) => it.push)).toBe(true)
    })

    test('concurrent changes of three channels are all stored', async () => {
      const member = await signUp(world)
      const change = (body: object) => call(world, member, 'PATCH', '/settings/notification/follow', body)
      await Promise.all([change({ push: false }), change({ mail: true }), change({ in_app: false })])
      const { settings } = (await call(world, member, 'GET', '/settings/notification')).json()
      expect(settings.find((it: { setting_cd: string }) => it.setting_cd === 'follow')).toEqual({
        setting_cd: 'follow',
        ...channels(false, false, true),
      })
    })

    test.each([
      ['/settings/notification/everything', { push: false }],
      ['/settings/notification/follow', {}],
      ['/settings/notification/follow', { push: 'no' }],
      ['/settings/privacy', {}],
      ['/settings/privacy', { message_from: 'friends' }],
    ])('%s refuses %j', async (path, body) => {
      const reply = await call(world, await signUp(world), 'PATCH', path, body)
      expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
    })

    test('a new member gets messages from everyone and is shown no age-limited posts', async () => {
      const member = await signUp(world)
      expect((await call(world, member, 'GET', '/settings/privacy')).json()).toEqual({
        message_from: 'everyone',
        sends_read_marks: true,
        shows_message_text: true,
        shows_age_limited: false,
        shows_share_card: true,
        shows_presence: false,
      })
    })

    test.each(messageFrom.options)('messages may be received from: %s', async (from) => {
      const member = await signUp(world)
      await call(world, member, 'PATCH', '/settings/privacy', { message_from: from })
      expect((await call(world, member, 'GET', '/settings/privacy')).json().message_from).toBe(from)
    })

    test('a change of one privacy setting leaves the others unchanged', async () => {
      const member = await signUp(world)
      await call(world, member, 'PATCH', '/settings/privacy', { message_from: 'nobody' })
      const reply = await call(world, member, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      expect(reply.json()).toEqual({
        message_from: 'nobody',
        sends_read_marks: true,
        shows_message_text: true,
        shows_age_limited: true,
        shows_share_card: true,
        shows_presence: false,
      })
      expect((await call(world, member, 'GET', '/settings/privacy')).json()).toEqual(reply.json())
    })

    test('the migration shows age-limited posts to members who have not chosen', async () => {
      const [present, chose] = [await signUp(world), await signUp(world)]
      await call(world, chose, 'PATCH', '/settings/privacy', { shows_age_limited: false })
      const migration = '0005_age_limited_for_present_members.sql'
      await world.database.executeSql(readFileSync(join(migrationsFolder, migration), 'utf8'))
      const shown = async (by: Member) =>
        (await call(world, by, 'GET', '/settings/privacy')).json().shows_age_limited
      expect([await shown(present), await shown(chose)]).toEqual([true, false])
    })

    test('requests of a visitor are unauthenticated', async () => {
      for (const path of ['/settings/notification', '/settings/privacy', '/blocks', '/auth/info']) {
        const reply = await call(world, null, 'GET', path)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([401, 'unauthenticated'])
      }
    })
  })
})
