// Reports of posts, comments and people: one for each reporter, with its result.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  identify,
  signUp,
} from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reports', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const report = (by: Member | null, what: string, body: object = { reason: 'spam' }) =>
      call(world, by, 'PUT', `/reports/${what}`, body)
    const published = async (by: Member, fields: [string, string][] = [['type', '1']]) => {
      const id = postIdOf(await addPost(world, by, [['content', '買ってください'], ...fields], newId()))
      await call(world, by, 'POST', `/post/release-uploaded/${id}`)
      return id
    }
    const comment = async (post: string, by: Member) => {
      const id = newId()
      await world.database.executeSql(
        `insert into comments (id, post_id, author_id, content, created_at) values ($1, $2, $3, 'ひどい言葉', now())`,
        [id, post, by.id],
      )
      return id
    }
    const stored = async (target: string) =>
      (await world.database.executeSql('select * from reports where target_id = $1', [target]))
        .rows as Record<string, unknown>[]
    const own = async (by: Member, cursor = '') =>
      (await call(world, by, 'GET', `/reports/own${cursor}`)).json()

    test('a report stores the target as it was, and its owner', async () => {
      const [author, reader] = [await identify(world, await signUp(world)), await signUp(world)]
      const post = await published(author)
      const commentId = await comment(post, author)
      const reply = await report(reader, `post/${post}`, { reason: 'copyright', detail: ' 私の絵です ' })
      expect(reply.json()).toMatchObject({
        is: 'new',
        report: { kind: 'post', target_id: post, reason: 'copyright', detail: '私の絵です', state: 'open' },
      })
      await report(reader, `comment/${commentId}`)
      await report(reader, `person/${author.id}`)
      await world.database.executeSql(`update posts set content = 'なんでもない' where id = $1`, [post])
      expect(await stored(post)).toMatchObject([
        { owner_id: author.id, reporter_id: reader.id, quoted: { content: '買ってください' } },
      ])
      expect(await stored(commentId)).toMatchObject([
        { owner_id: author.id, quoted: { content: 'ひどい言葉', post_id: post } },
      ])
      expect(await stored(author.id)).toMatchObject([{ owner_id: author.id, target_kind: 'person' }])
    })

    test('a second report changes the first one, unless that is decided', async () => {
      const [author, reader] = [await identify(world, await signUp(world)), await signUp(world)]
      const post = await published(author)
      await report(reader, `post/${post}`)
      const again = await report(reader, `post/${post}`, { reason: 'other', detail: 'やはり' })
      expect(again.json()).toMatchObject({ is: 'changed', report: { reason: 'other', detail: 'やはり' } })
      await world.database.executeSql(
        `update reports set state = 'acted', decided_at = now() where target_id = $1`,
        [post],
      )
      const late = await report(reader, `post/${post}`, { reason: 'spam' })
      expect(late.json()).toMatchObject({ is: 'decided', report: { reason: 'other', state: 'acted' } })
      expect(await stored(post)).toHaveLength(1)
    })

    test('the reporter sees the result, but not the text of a post that they cannot read', async () => {
      const [author, reader] = [await identify(world, await signUp(world)), await signUp(world)]
      const gated = await published(author, [
        ['type', '3'],
        ['price', '500'],
      ])
      const reply = await report(reader, `post/${gated}`)
      expect(reply.body).not.toContain('買ってください')
      expect(await stored(gated)).toMatchObject([{ quoted: { content: '買ってください' } }])
      await world.database.executeSql(`update reports set state = 'dismissed' where target_id = $1`, [gated])
      const list = await call(world, reader, 'GET', '/reports/own')
      expect(list.json().reports).toMatchObject([{ target_id: gated, state: 'dismissed' }])
      expect(list.body).not.toContain('買ってください')
      expect((await own(author)).reports).toEqual([])
    })

    test('a member cannot report hidden targets or targets of their own', async () => {
      const [author, reader] = [await identify(world, await signUp(world)), await signUp(world)]
      const open = await published(author)
      const gated = await published(author, [
        ['type', '3'],
        ['price', '500'],
      ])
      const [visible, hidden] = [await comment(open, author), await comment(gated, author)]
      const refused = async (by: Member, what: string) => errorOf(await report(by, what)).code
      expect(await refused(author, `post/${open}`)).toBe('not_found')
      expect(await refused(author, `comment/${visible}`)).toBe('not_found')
      expect(await refused(author, `person/${author.id}`)).toBe('not_found')
      expect(await refused(reader, `comment/${hidden}`)).toBe('not_found')
      expect(await refused(reader, `post/${newId()}`)).toBe('not_found')
      await call(world, author, 'PUT', `/blocks/${reader.id}`)
      for (const what of [`post/${open}`, `comment/${visible}`, `person/${author.id}`])
        expect(await refused(reader, what)).toBe('not_found')
      expect(errorOf(await report(null, `post/${open}`)).code).toBe('unauthenticated')
    })

    test('a member may report a person whom they have blocked', async () => {
      const [author, reader] = [await identify(world, await signUp(world)), await signUp(world)]
      await call(world, reader, 'PUT', `/blocks/${author.id}`)
      expect((await report(reader, `person/${author.id}`)).statusCode).toBe(200)
    })

    test('an unknown reason and a detail that is too long are refused at their fields', async () => {
      const [author, reader] = [await identify(world, await signUp(world)), await signUp(world)]
      const what = `person/${author.id}`
      expect(errorOf(await report(reader, what, { reason: 'boring' })).fields).toEqual({
        reason: 'malformed',
      })
      const long = { reason: 'spam', detail: 'あ'.repeat(1001) }
      expect(errorOf(await report(reader, what, long)).fields).toEqual({ detail: 'too_long' })
    })

    test('a member’s own reports are listed by page, the latest first, each once', async () => {
      const reader = await signUp(world)
      const reported: string[] = []
      for (let n = 0; n < 23; n++) {
        const other = await signUp(world)
        world.clock.now += 1000
        await report(reader, `person/${other.id}`)
        reported.unshift(other.id)
      }
      const first = await own(reader)
      const second = await own(reader, `?cursor=${first.next}`)
      const ids = [...first.reports, ...second.reports].map((it: { target_id: string }) => it.target_id)
      expect([first.reports.length, second.next, ids]).toEqual([20, null, reported])
    })
  })
})
