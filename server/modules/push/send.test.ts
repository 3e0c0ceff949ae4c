// Sending pushes: content, access when they are sent, retries, and owners of devices.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { pushPayload, type PushPayload } from '#contract/notifications/push-payload.ts'
import * as v from 'valibot'
import { defined } from '#contract/testing/defined.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import type { JobData } from '#server/store/jobs.ts'
import { listDevices } from '#server/store/notifications/push-subscriptions.ts'
import { addSession } from '#server/store/accounts/sessions.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { type PushService, pushTo, startPushService } from '#server/testing/clients/push-service.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { pushNotification, pushToDevice } from './send.ts'

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.close())

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({
        database: kind,
        settings: { publicUrl: 'https://todoke.example' },
        parts: { push: pushTo(service) },
      })
    })
    afterAll(() => world.close())

    /** Signs up a member with a post and this many devices. */
    async function signUpAuthor(devices = 1) {
      const member = await signUp(world)
      for (let n = 0; n < devices; n++) {
        const token = newToken()
        await addSession(world.deps.db, { tokenHash: hashToken(token), userId: member.id }, world.clock.now)
        const device = { ...member, token, auth: { authorization: `Bearer ${token}` } }
        await call(world, device, 'PUT', '/push/subscription', service.subscribe())
      }
      return { member, post: await publish(world, member, { content: '海の写真' }) }
    }
    async function comment(as: Member, post: string, content = 'いいですね'): Promise<string> {
      const id = newId()
      await call(world, as, 'POST', `/posts/${post}/comments`, { id, content })
      return id
    }
    /** Runs the waiting jobs. @returns the pushes that arrived */
    async function deliver() {
      const before = service.arrived.length
      for (const it of await takeJobs(world, 'notification.push'))
        await pushNotification(world.deps, it.notificationId)
      for (const it of await takeJobs(world, 'push.device')) await pushToDevice(world.deps, it)
      return service.arrived.slice(before).map((it) => ({
        ...it,
        payload: v.parse(pushPayload, JSON.parse(it.text)) satisfies PushPayload,
      }))
    }

    /** Removes the jobs that wait for a retry. @returns their data, and the delays in seconds */
    async function takeRetries() {
      const { rows } = await world.database.executeSql(
        `update pgboss.job set state = 'completed' where name = 'push.device' and state = 'created'
         returning data, round(extract(epoch from start_after - created_on))::int as delay`,
      )
      return (rows as { data: JobData['push.device']; delay: number }[]).map((it) => ({
        data: it.data,
        delay: it.delay,
      }))
    }

    test('a comment is pushed to each device once, with the text of the list and the unread count', async () => {
      const [fan, { member, post }] = [await signUp(world), await signUpAuthor(2)]
      const id = await comment(fan, post)
      const arrived = await deliver()
      expect(new Set(arrived.map((it) => it.device)).size).toBe(2)
      expect(arrived[0]?.payload).toMatchObject({
        notification: {
          title: expect.stringMatching(/さんがあなたの投稿にコメントしました$/),
          body: 'いいですね',
          navigate: `https://todoke.example/post/${post}?uidc=${id}`,
          data: { setting_cd: 'comment', target_id: post, target_sub_1_id: id, user_id: member.id },
        },
        app_badge: 1,
      })
      expect(arrived[0]).toMatchObject({ urgency: 'normal', ttl: String(7 * 24 * 3600) })
      expect(arrived[0]?.topic).toMatch(/^[\da-f]{32}$/)
      expect(arrived[0]?.size).toBeLessThanOrEqual(4096)
      expect(await deliver()).toEqual([])
    })

    test('a notification that was read meanwhile is not pushed', async () => {
      const [fan, { member, post }] = [await signUp(world), await signUpAuthor()]
      await comment(fan, post)
      await call(world, member, 'POST', '/notifications/read', {})
      expect(await deliver()).toEqual([])
    })

    test('no push is sent about a member whom the recipient blocked meanwhile', async () => {
      const [fan, { member, post }] = [await signUp(world), await signUpAuthor()]
      await comment(fan, post)
      await addBlock(world.deps.db, member.id, fan.id, world.clock.now)
      expect(await deliver()).toEqual([])
    })

    test('a kind with push switched off is not pushed', async () => {
      const [fan, { member, post }] = [await signUp(world), await signUpAuthor()]
      await call(world, member, 'PATCH', '/settings/notification/comment', { push: false })
      await comment(fan, post)
      expect(await deliver()).toEqual([])
    })

    test('a push has no excerpt of a post that its recipient may not read', async () => {
      const [{ member }, { member: fan }] = [await signUpAuthor(), await signUpAuthor()]
      const priced = await publish(world, member, { type: 3, price: 500, content: '門の中の言葉' })
      await world.deps.transaction(({ notify }) =>
        notify({ is: 'buy_post', by: member.id, to: fan.id, postId: priced }),
      )
      const [message] = await deliver()
      expect(message?.payload.notification).toMatchObject({ body: '', data: { target_id: priced } })
      expect(message?.text).not.toContain('門の中')
    })

    test('status 404 or 410 removes the device without a retry', async () => {
      const fan = await signUp(world)
      for (const status of [404, 410]) {
        const { member, post } = await signUpAuthor()
        await comment(fan, post)
        service.answers.push({ status })
        expect(await deliver()).toEqual([])
        expect(await listDevices(world.deps.db, member.id)).toEqual([])
        expect(await takeJobs(world, 'push.device')).toEqual([])
      }
    })

    test('status 413 is retried once with a shorter text', async () => {
      const [fan, { post }] = [await signUp(world), await signUpAuthor()]
      await comment(fan, post, '長い'.repeat(300))
      service.answers.push({ status: 413 })
      expect(await deliver()).toMatchObject([
        { payload: { notification: { body: expect.stringMatching(/^長い/) } } },
      ])
      expect(await takeRetries()).toEqual([])
    })

    test('status 429 is retried after its Retry-After, and 503 after a delay, until the push arrives', async () => {
      const [fan, { post }] = [await signUp(world), await signUpAuthor()]
      await comment(fan, post)
      service.answers.push({ status: 429, headers: { 'retry-after': '3600' } })
      expect(await deliver()).toEqual([])
      const [first, none] = await takeRetries()
      expect([first?.data.tries, first?.delay, none]).toEqual([1, 3600, undefined])
      service.answers.push({ status: 503 })
      if (first) await pushToDevice(world.deps, first.data)
      const [second] = await takeRetries()
      expect([second?.data.tries, second?.delay]).toEqual([2, 120])
      const before = service.arrived.length
      if (second) await pushToDevice(world.deps, second.data)
      expect(service.arrived.length).toBe(before + 1)
      expect(await takeRetries()).toEqual([])
    })

    test('after ten tries a push is given up, and the device stays subscribed', async () => {
      const [fan, { member, post }] = [await signUp(world), await signUpAuthor()]
      await comment(fan, post)
      service.answers.push({ status: 500 })
      await deliver()
      const [job] = await takeJobs(world, 'push.device')
      service.answers.push({ status: 500 })
      if (job) await pushToDevice(world.deps, { ...job, tries: 9 })
      expect(await takeJobs(world, 'push.device')).toEqual([])
      expect(await listDevices(world.deps.db, member.id)).toHaveLength(1)
    })

    test('a device that another member subscribed meanwhile gets no push of the first member', async () => {
      const [fan, other, { member, post }] = [await signUp(world), await signUp(world), await signUpAuthor()]
      const [device] = await listDevices(world.deps.db, member.id)
      await comment(fan, post)
      const jobs = await takeJobs(world, 'notification.push')
      for (const it of jobs) await pushNotification(world.deps, it.notificationId)
      const { endpoint = '', p256dh = '', auth = '' } = device ?? {}
      await call(world, other, 'PUT', '/push/subscription', { endpoint, keys: { p256dh, auth } })
      expect(await deliver()).toEqual([])
    })

    test('the data of a job has no endpoint and no key of a device', async () => {
      const [fan, { post }] = [await signUp(world), await signUpAuthor()]
      await comment(fan, post)
      for (const it of await takeJobs(world, 'notification.push'))
        await pushNotification(world.deps, it.notificationId)
      const [job] = await takeJobs(world, 'push.device')
      expect(Object.keys(defined(job)).toSorted()).toEqual(['deviceId', 'notificationId', 'tries'])
    })
  })
