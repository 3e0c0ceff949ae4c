// A plan without back numbers: posts from before a member joined stay closed, everywhere.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { signatureFor } from '#server/services/media/addresses.ts'
import { joinPlan } from '#server/store/plans/plans.ts'
import {
  addPost,
  call,
  identify,
  type Member,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a member who joined after a post was released', () => {
    let world: World
    let author: Member
    let fan: Member
    let older: string
    let newer: string
    let pictures: { older: string; newer: string }
    let word: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    async function publish(planId: string, content: string, image: string): Promise<string> {
      const fields = [
        ['content', content],
        ['type', '2'],
        ['plan_id[]', planId],
        ['has_image_file[]', image],
      ] as const
      const id = postIdOf(await addPost(world, author, fields, newId()))
      await call(world, author, 'POST', `/post/release-uploaded/${id}`)
      return id
    }

    beforeEach(async () => {
      ;[author, fan] = [await identify(world, await signUp(world)), await signUp(world)]
      word = `便り${newId()}`
      const offer = {
        name: '応援',
        description: '',
        thanks: '',
        price: 500,
        member_limit: null,
        accepts_members: true,
        opens_cheaper: true,
        back_numbers: 'since_joining',
      }
      const planId = newId()
      await call(world, author, 'POST', '/plans', { id: planId, ...offer })
      pictures = {
        older: await upload(world, author, await jpeg(), 'a.jpg'),
        newer: await upload(world, author, await jpeg(), 'b.jpg'),
      }
      older = await publish(planId, `${word} 以前`, pictures.older)
      world.clock.now += 1
      await joinPlan(world.deps.db, planId, fan.id, world.clock.now)
      world.clock.now += 1
      newer = await publish(planId, `${word} 以後`, pictures.newer)
    })

    const read = async (by: Member, id: string) =>
      (await call(world, by, 'GET', `/posts/${id}`)).json<PostView>().access
    const idsOf = async (by: Member, path: string) =>
      (await call(world, by, 'GET', path)).json<{ posts: { id: string }[] }>().posts.map((it) => it.id)

    test('reads later posts in full, and of the earlier one that it is from before', async () => {
      expect(await read(fan, newer)).toMatchObject({ is: 'full' })
      const closed = await read(fan, older)
      expect(closed).toMatchObject({ is: 'preview', wants: 'plan', before_joining: true })
      expect(JSON.stringify(closed)).not.toContain(word)
      const stranger = await signUp(world)
      expect(await read(stranger, older)).not.toHaveProperty('before_joining')
      expect(await read(author, older)).toMatchObject({ is: 'full' })
    })

    test('finds the earlier post neither in the feed of plans nor in the search', async () => {
      expect(await idsOf(fan, '/feed/plans')).toEqual([newer])
      expect(await idsOf(fan, `/search/posts?q=${encodeURIComponent(word)}`)).toEqual([newer])
    })

    test('receives no file of the earlier post, even with a signature for this member', async () => {
      const statusOf = async (mediaId: string) => {
        const signing = { mediaId, what: 'shown', viewerId: fan.id } as const
        const query = signatureFor(world.deps.secrets, signing, world.clock.now)
        return (await call(world, fan, 'GET', `/media/${mediaId}/w960?${query}`)).statusCode
      }
      // The later picture is not converted yet, so it is not found.
      expect([await statusOf(pictures.older), await statusOf(pictures.newer)]).toEqual([403, 404])
    })
  })
})
