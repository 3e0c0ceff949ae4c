// Plan and priced posts require an approved identity check of their author.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import {
  addPost,
  call,
  errorOf,
  type FormValue,
  head,
  identify,
  type Member,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

type Field = readonly [string, FormValue]
const priced: readonly Field[] = [
  ['type', '3'],
  ['price', '500'],
]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an author without an approved identity check', () => {
    let world: World
    let author: Member
    let planId: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      author = await signUp(world)
      planId = newId()
      const plan = { id: planId, creatorId: author.id, name: '応援', price: 300 }
      await addPlan(world.deps.db, { ...plan, createdAt: new Date(world.clock.now) })
    })

    const forPlan = (): Field[] => [
      ['type', '2'],
      ['plan_id[]', planId],
    ]
    const add = (fields: readonly Field[], key = newId()) =>
      addPost(world, author, [['content', '海の便り'], ...fields], key)
    const release = (id: string) => call(world, author, 'POST', `/post/release-uploaded/${id}`)
    const change = (id: string, audience: object) =>
      call(world, author, 'PATCH', `/posts/${id}`, { audience })
    const own = async () =>
      (await call(world, author, 'GET', `/posts?author=${author.id}`)).json<{ posts: { id: string }[] }>()
        .posts
    const codeOf = (reply: Awaited<ReturnType<typeof call>>) => [reply.statusCode, errorOf(reply).code]
    const refused = [403, 'identity_required']

    test('can add open posts, but no plan or priced posts', async () => {
      expect((await add([['type', '1']])).statusCode).toBe(200)
      expect(codeOf(await add(priced))).toEqual(refused)
      expect(codeOf(await add(forPlan()))).toEqual(refused)
    })

    test('loses no upload of a refused post, and can publish it by the same request after the approval', async () => {
      const bytes = await jpeg()
      const image = await upload(world, author, bytes, 'a.jpg')
      const [fields, key] = [[...priced, ['has_image_file[]', image]] as const, newId()]
      for (const _ of [1, 2]) expect(codeOf(await add(fields, key))).toEqual(refused)
      expect((await head(world, author, image)).headers['upload-offset']).toBe(String(bytes.length))
      await identify(world, author)
      const ids = [postIdOf(await add(fields, key)), postIdOf(await add(fields, key))]
      expect(ids[0]).toBe(ids[1])
      for (const _ of [1, 2]) expect((await release(defined(ids[0]))).statusCode).toBe(200)
      expect((await own()).map((it) => it.id)).toEqual([ids[0]])
    })

    test('cannot change an open post to a plan or priced post until they are identified', async () => {
      const id = postIdOf(await add([['type', '1']]))
      await release(id)
      expect(codeOf(await change(id, { type: 3, price: 500 }))).toEqual(refused)
      expect(codeOf(await change(id, { type: 2, plan_ids: [planId] }))).toEqual(refused)
      expect((await call(world, author, 'GET', `/posts/${id}`)).json()).toMatchObject({ type: 1 })
      await identify(world, author)
      expect((await change(id, { type: 3, price: 500 })).statusCode).toBe(200)
    })

    test('can change the price of a released priced post or open it, but not make it a plan post', async () => {
      await identify(world, author)
      const id = postIdOf(await add(priced))
      await release(id)
      await world.database.executeSql('update users set identified_at = null where id = $1', [author.id])
      expect((await release(id)).statusCode).toBe(200)
      expect((await change(id, { type: 3, price: 900 })).statusCode).toBe(200)
      expect(codeOf(await change(id, { type: 2, plan_ids: [planId] }))).toEqual(refused)
      expect((await change(id, { type: 1 })).statusCode).toBe(200)
    })

    test('cannot release a priced post that was added earlier until they are identified', async () => {
      await identify(world, author)
      const id = postIdOf(await add(priced))
      await world.database.executeSql('update users set identified_at = null where id = $1', [author.id])
      expect(codeOf(await release(id))).toEqual(refused)
      expect(await own()).toEqual([])
      await identify(world, author)
      expect((await release(id)).statusCode).toBe(200)
    })
  })
})
