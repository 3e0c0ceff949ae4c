// Order of mutations: the last one of a device counts, in any order of arrival.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { removeOldSequenceNumbers } from './expiry.ts'

const WEEK = 7 * 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('mutations with sequence numbers', () => {
    let world: World
    let author: Member
    let fan: Member
    let post: string
    let comment: string
    const [phone, tablet] = [newId(), newId()]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUp(world)
      return () => world.close()
    })
    beforeEach(async () => {
      fan = await signUp(world)
      post = await publish(world, author)
      comment = newId()
      await call(world, author, 'POST', `/posts/${post}/comments`, { id: comment, content: 'どうぞ' })
    })

    const send = (method: 'PUT' | 'DELETE', path: string, number?: string) =>
      call(world, fan, method, path, undefined, number === undefined ? {} : { 'act-number': number })
    const like = (n?: number, source = phone) =>
      send('PUT', `/posts/${post}/like`, n === undefined ? undefined : `${source}.${n}`)
    const unlike = (n?: number, source = phone) =>
      send('DELETE', `/posts/${post}/like`, n === undefined ? undefined : `${source}.${n}`)
    const liked = async () => (await call(world, fan, 'GET', `/posts/${post}`)).json().liked as boolean

    test('a request that arrives after a later one changes nothing and gets the current state', async () => {
      await like(1)
      await unlike(2)
      expect((await like(1)).json()).toMatchObject({ data: { liked: false, likes: 0 } })
      await like(4)
      expect((await unlike(3)).json()).toMatchObject({ data: { liked: true, likes: 1 } })
      expect(await liked()).toBe(true)
    })

    test('a repeated request gets the same reply as the first', async () => {
      const first = (await like(1)).json()
      expect((await like(1)).json()).toEqual(first)
      expect(first).toMatchObject({ data: { liked: true, likes: 1 } })
    })

    test('of concurrent requests the one with the highest number counts', async () => {
      await Promise.all([2, 3, 4, 5, 6, 7].map((n) => (n % 2 === 0 ? like(n) : unlike(n))))
      expect(await liked()).toBe(false)
      await Promise.all([9, 8].map((n) => (n === 9 ? like(n) : unlike(n))))
      expect(await liked()).toBe(true)
    })

    test('numbers of two devices are not compared: the last request to arrive counts', async () => {
      await like(1000, tablet)
      await unlike(1, phone)
      expect(await liked()).toBe(false)
      await like(1001, tablet)
      expect(await liked()).toBe(true)
    })

    test('a refused request does not use its number', async () => {
      const paid = await publish(world, author, { type: 3, price: 300 })
      const path = `/posts/${paid}/like`
      expect(errorOf(await send('PUT', path, `${phone}.5`)).code).toBe('forbidden')
      await world.database.executeSql('update posts set type = 1, price = null where id = $1', [paid])
      expect((await send('PUT', path, `${phone}.5`)).json()).toMatchObject({ data: { liked: true } })
    })

    test('likes of comments and follows are ordered too, each by its own numbers', async () => {
      const commentLike = `/comments/${comment}/like`
      await send('PUT', commentLike, `${phone}.5`)
      await send('DELETE', commentLike, `${phone}.6`)
      expect((await send('PUT', commentLike, `${phone}.5`)).json()).toMatchObject({ data: { liked: false } })
      const follow = `/follows/${author.id}`
      expect((await send('PUT', follow, `${phone}.1`)).json()).toMatchObject({ data: { following: true } })
      expect((await send('DELETE', follow, `${phone}.2`)).json()).toMatchObject({
        data: { following: false },
      })
      expect((await send('PUT', follow, `${phone}.1`)).json()).toMatchObject({ data: { following: false } })
      expect((await send('PUT', follow, `${phone}.3`)).json()).toMatchObject({ data: { following: true } })
      expect((await send('DELETE', follow, `${phone}.2`)).json()).toMatchObject({ data: { following: true } })
    })

    test('requests without a number are applied in order of arrival', async () => {
      await like(9)
      await unlike()
      expect(await liked()).toBe(false)
    })

    test.each(['7', phone, `${phone}.x`, `${phone}.-1`, `${phone}.99999999999999999`, 'nobody.1'])(
      'an invalid sequence number is refused: %s',
      async (number) => {
        const reply = await send('PUT', `/posts/${post}/like`, number)
        expect([reply.statusCode, errorOf(reply)]).toMatchObject([
          422,
          { code: 'invalid', fields: { 'act-number': 'malformed' } },
        ])
        expect(await liked()).toBe(false)
      },
    )

    test('sequence numbers are stored for a week', async () => {
      const rows = async () => {
        const sql = 'select count(*)::int as n from act_numbers where user_id = $1'
        return ((await world.database.executeSql(sql, [fan.id])).rows as { n: number }[])[0]?.n
      }
      await like(1)
      world.clock.now += WEEK
      await removeOldSequenceNumbers(world.deps)
      expect(await rows()).toBe(1)
      world.clock.now += 1
      await removeOldSequenceNumbers(world.deps)
      expect(await rows()).toBe(0)
    })
  })
})
