// Comments and replies: access, pages, idempotent requests and deletion.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommentView } from '#contract/posts/comments.ts'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

interface Page {
  comments: CommentView[]
  next: string | null
  previous: string | null
  thread?: string | null
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('comments', () => {
    let world: World
    let author: Member
    let fan: Member
    let other: Member
    let reader: Member
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUp(world)
      fan = await signUp(world)
      other = await signUp(world)
      reader = await signUp(world)
      return () => world.close()
    })
    beforeEach(async () => {
      post = await publish(world, author)
    })

    const send = (as: Member | null, body: object, on = post) =>
      call(world, as, 'POST', `/posts/${on}/comments`, { id: newId(), ...body })
    const write = async (as: Member, content: string, more: object = {}): Promise<string> => {
      world.clock.now += 1000
      return (await send(as, { content, ...more })).json<CommentView>().id
    }
    /** Adds comments, or replies, one second apart. @returns their ids, oldest first */
    const addMany = async (by: Member, count: number, parent: string | null = null): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => newId())
      await world.database.executeSql(
        `insert into comments (id, post_id, author_id, parent_id, content, created_at)
         select it.id::uuid, $1, $2, $3, it.n - 1, $4::timestamptz + it.n * interval '1 second'
         from unnest($5::text[]) with ordinality as it (id, n)`,
        [post, by.id, parent, new Date(world.clock.now).toISOString(), ids],
      )
      world.clock.now += (count + 1) * 1000
      return ids
    }
    const list = async (as: Member, query = '', on = post) =>
      (await call(world, as, 'GET', `/posts/${on}/comments${query}`)).json<Page>()
    const replies = async (as: Member, to: string, query = '') =>
      (await call(world, as, 'GET', `/comments/${to}/replies${query}`)).json<Page>()
    const remove = (as: Member, id: string) => call(world, as, 'DELETE', `/comments/${id}`)
    const contentsOf = ({ comments }: Page) =>
      comments.map(({ body }) => (body.is === 'shown' ? body.content : body.is))
    const codeOf = (reply: Reply) => errorOf(reply).code

    test('comments are listed newest first, and the replies of a comment oldest first', async () => {
      const first = await write(fan, 'はじめ')
      await write(other, 'つぎ')
      const reply = await write(author, 'ありがとう', { parent_id: first })
      await write(fan, 'こちらこそ', { parent_id: first, answers_id: reply })
      const page = await list(reader)
      expect(contentsOf(page)).toEqual(['つぎ', 'はじめ'])
      expect(page.comments.map((it) => it.replies)).toEqual([0, 2])
      const below = await replies(reader, first)
      expect(contentsOf(below)).toEqual(['ありがとう', 'こちらこそ'])
      expect(below.comments.map((it) => it.body)).toMatchObject([
        { answers: null },
        { answers: { id: author.id } },
      ])
      expect((await call(world, reader, 'GET', `/posts/${post}`)).json().counts.comments).toBe(4)
    })

    test('a written and a deleted comment return the counts that they changed, of one moment', async () => {
      const written = (await send(fan, { content: 'はじめ' })).json()
      expect(written.post).toEqual({ likes: 0, comments: 1, version: 1, liked: false })
      expect(written.parent).toBeUndefined()
      await call(world, fan, 'PUT', `/posts/${post}/like`)
      const reply = (await send(other, { content: 'つぎ', parent_id: written.id })).json()
      expect(reply.post).toEqual({ likes: 1, comments: 2, version: 3, liked: false })
      expect(reply.parent).toEqual({ likes: 0, replies: 1, version: 1, liked: false })
      expect((await list(fan)).comments[0]).toMatchObject({ replies: 1, version: 1 })
      expect((await remove(fan, written.id)).json().data).toEqual({
        id: written.id,
        post: { likes: 1, comments: 1, version: 4, liked: true },
      })
    })

    test('who no longer sees the post learns none of its counts by deleting a comment', async () => {
      const writer = await signUp(world)
      const id = await write(writer, 'はじめ')
      await addBlock(world.deps.db, author.id, writer.id, world.clock.now)
      expect((await remove(writer, id)).json()).toEqual({ data: { id } })
    })

    test('a comment sent again by its author is stored once, and its id is a conflict for another member', async () => {
      const id = newId()
      const [one, two] = await Promise.all([
        send(fan, { id, content: '一度' }),
        send(fan, { id, content: '一度' }),
      ])
      expect([one.json().id, two.json().id]).toEqual([id, id])
      expect((await send(fan, { id, content: 'べつ' })).json().body.content).toBe('一度')
      expect(contentsOf(await list(reader))).toEqual(['一度'])
      expect(codeOf(await send(other, { id, content: 'よこどり' }))).toBe('conflict')
      await remove(fan, id)
      expect(codeOf(await send(fan, { id, content: '一度' }))).toBe('gone')
    })

    test.each([
      ['   \n　', 'required'],
      ['あ'.repeat(1001), 'too_long'],
    ])('%#: an empty or too long comment is refused', async (content, code) => {
      expect(errorOf(await send(fan, { content }))).toEqual({ code: 'invalid', fields: { content: code } })
    })

    test('1000 emoji of two code points each count as 1000 characters', async () => {
      const content = '👩🏽'.repeat(1000)
      expect((await send(fan, { content })).json().body.content).toBe(content)
    })

    test('pages have no gap when a comment is added between two requests', async () => {
      await addMany(fan, 45)
      const first = await list(reader)
      await write(fan, 'あとから')
      const second = await list(reader, `?cursor=${first.next}`)
      const third = await list(reader, `?cursor=${second.next}`)
      const numbers = [first, second, third].flatMap(contentsOf)
      expect(numbers).toEqual(Array.from({ length: 45 }, (_, i) => `${44 - i}`))
      expect(third.next).toBeNull()
    })

    test('the page around a comment begins with it and continues in both directions', async () => {
      const ids = await addMany(fan, 45)
      const middle = await list(reader, `?around=${ids[20]}`)
      expect(middle.thread).toBe(ids[20])
      expect(contentsOf(middle)).toEqual(Array.from({ length: 20 }, (_, i) => `${20 - i}`))
      const newer = await list(reader, `?before=${middle.previous}`)
      expect(contentsOf(newer)).toEqual(Array.from({ length: 20 }, (_, i) => `${40 - i}`))
      const newest = await list(reader, `?before=${newer.previous}`)
      expect([contentsOf(newest), newest.previous]).toEqual([['44', '43', '42', '41'], null])
      expect(contentsOf(await list(reader, `?cursor=${middle.next}`))).toEqual(['0'])
    })

    test('around a reply, the page begins with its parent, and the page of replies with the reply', async () => {
      const thread = await write(fan, 'うえ')
      const target = (await addMany(other, 25, thread))[10]
      expect(await list(reader, `?around=${target}`)).toMatchObject({ thread, comments: [{ id: thread }] })
      const below = await replies(reader, thread, `?around=${target}`)
      expect(contentsOf(below)[0]).toBe('10')
      expect(contentsOf(await replies(reader, thread, `?before=${below.previous}`))).toHaveLength(10)
    })

    test('around a deleted, hidden or unknown comment, the first page is returned with thread null', async () => {
      const deleted = await write(fan, 'きえる')
      await remove(fan, deleted)
      const hidden = await write(other, 'ブロック')
      await addBlock(world.deps.db, fan.id, other.id, world.clock.now)
      await write(author, 'のこる')
      for (const id of [deleted, hidden, newId()])
        expect(await list(fan, `?around=${id}`)).toMatchObject({ thread: null, comments: [{}] })
      await world.database.executeSql('delete from blocks')
    })

    test('only its author and the author of the post can delete a comment, and its replies remain', async () => {
      const fanComment = await write(fan, 'わたしの')
      await write(other, '返信', { parent_id: fanComment })
      const otherComment = await write(other, 'ほかの')
      const deletable = async (as: Member) => (await list(as)).comments.map((it) => it.deletable)
      expect(await deletable(fan)).toEqual([false, true])
      expect(await deletable(author)).toEqual([true, true])
      expect(await deletable(reader)).toEqual([false, false])
      expect(codeOf(await remove(fan, otherComment))).toBe('not_found')
      expect((await remove(author, otherComment)).statusCode).toBe(200)
      expect((await remove(fan, fanComment)).statusCode).toBe(200)
      expect((await remove(fan, fanComment)).statusCode).toBe(200)
      expect(contentsOf(await list(reader))).toEqual(['deleted'])
      expect(contentsOf(await replies(reader, fanComment))).toEqual(['返信'])
      expect(codeOf(await send(other, { content: 'もう一つ', parent_id: fanComment }))).toBe('gone')
      const { rows } = await world.database.executeSql(
        `select content, deleted_by as by from comments where id = any($1) order by deleted_by`,
        [[fanComment, otherComment]],
      )
      expect(rows).toEqual([
        { content: '', by: 'author' },
        { content: '', by: 'post_author' },
      ])
    })

    test('the parent of a reply must be a top-level comment of the same post', async () => {
      const thread = await write(fan, 'うえ')
      const reply = await write(other, 'した', { parent_id: thread })
      const otherPost = await publish(world, author)
      expect(codeOf(await send(fan, { content: 'x', parent_id: reply }))).toBe('not_found')
      expect(codeOf(await send(fan, { content: 'x', parent_id: newId() }))).toBe('not_found')
      expect(codeOf(await send(fan, { content: 'x', parent_id: thread }, otherPost))).toBe('not_found')
      const second = await write(other, 'べつ')
      expect(codeOf(await send(fan, { content: 'x', parent_id: second, answers_id: reply }))).toBe(
        'not_found',
      )
    })

    test('comments are forbidden on a previewed post, and not found on an unreleased one', async () => {
      const paid = await publish(world, author, { type: 3, price: 300 })
      await send(author, { content: 'ひみつ' }, paid)
      for (const as of [reader, fan]) {
        const reply = await call(world, as, 'GET', `/posts/${paid}/comments`)
        expect(codeOf(reply)).toBe('forbidden')
        expect(reply.body).not.toContain('ひみつ')
      }
      expect(codeOf(await send(fan, { content: 'x' }, paid))).toBe('forbidden')
      const id = (await list(author, '', paid)).comments[0]?.id
      expect(codeOf(await call(world, fan, 'GET', `/comments/${id}/replies`))).toBe('forbidden')
      expect(codeOf(await call(world, fan, 'PUT', `/comments/${id}/like`))).toBe('forbidden')
      const draft = await publish(world, author, { released: false })
      expect(codeOf(await send(fan, { content: 'x' }, draft))).toBe('not_found')
      expect(codeOf(await send(null, { content: 'x' }))).toBe('unauthenticated')
    })

    test('after a block neither member sees the comments of the other on a third member’s post', async () => {
      const otherComment = await write(other, 'あいての')
      const thread = await write(author, '投稿者の')
      const otherReply = await write(other, 'あいての返信', { parent_id: thread })
      await addBlock(world.deps.db, fan.id, other.id, world.clock.now)
      expect(contentsOf(await list(fan))).toEqual(['投稿者の'])
      expect(codeOf(await call(world, fan, 'PUT', `/comments/${otherComment}/like`))).toBe('not_found')
      expect(codeOf(await send(fan, { content: 'x', parent_id: otherComment }))).toBe('not_found')
      const fanComment = await write(fan, 'わたしの')
      expect(contentsOf(await list(other))).toEqual(['投稿者の', 'あいての'])
      expect(codeOf(await call(world, other, 'GET', `/comments/${fanComment}/replies`))).toBe('not_found')
      expect(contentsOf(await list(reader))).toEqual(['わたしの', '投稿者の', 'あいての'])
      expect(contentsOf(await replies(reader, thread))).toEqual(['あいての返信'])
      expect(contentsOf(await replies(fan, thread))).toEqual([])
      expect(codeOf(await call(world, fan, 'PUT', `/comments/${otherReply}/like`))).toBe('not_found')
      await world.database.executeSql('delete from blocks')
    })

    test('comments of a muted member are marked as muted only for the muter', async () => {
      await write(other, 'しずかに')
      await world.database.executeSql(
        'insert into mutes (muter_id, muted_id, created_at) values ($1, $2, now())',
        [fan.id, other.id],
      )
      expect((await list(fan)).comments[0]?.body).toMatchObject({ muted: true })
      for (const as of [author, other, reader])
        expect((await list(as)).comments[0]?.body).toMatchObject({ muted: false })
      await world.database.executeSql('delete from mutes')
    })

    test('comments of a suspended member are hidden until the suspension ends', async () => {
      await write(other, 'いない')
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [other.id])
      expect(contentsOf(await list(reader))).toEqual([])
      await world.database.executeSql('update users set suspended_at = null where id = $1', [other.id])
      expect(contentsOf(await list(reader))).toEqual(['いない'])
    })

    test('a like of a comment counts once per member, and a deleted comment cannot be liked', async () => {
      const id = await write(other, 'すてき')
      const like = (as: Member) => call(world, as, 'PUT', `/comments/${id}/like`)
      await like(fan)
      expect((await like(fan)).json()).toMatchObject({ data: { liked: true, likes: 1 } })
      expect((await list(fan)).comments[0]?.body).toMatchObject({ likes: 1, liked: true })
      expect((await list(author)).comments[0]?.body).toMatchObject({ likes: 1, liked: false })
      const undone = await call(world, fan, 'DELETE', `/comments/${id}/like`)
      expect(undone.json()).toMatchObject({ data: { liked: false, likes: 0 } })
      await write(fan, '返信', { parent_id: id })
      await remove(other, id)
      expect(codeOf(await like(fan))).toBe('not_found')
    })

    test('handles in a comment are linked to the members who have them', async () => {
      await world.database.executeSql(`update users set handle = 'hikari' where id = $1`, [author.id])
      await write(fan, '＠Hikari さん @nobody_1')
      expect((await list(reader)).comments[0]?.body).toMatchObject({
        mentions: [{ handle: 'hikari', id: author.id }],
      })
    })

    test.each(['cursor', 'before'])('an invalid %s is refused as malformed', async (name) => {
      const reply = await call(world, reader, 'GET', `/posts/${post}/comments?${name}=x`)
      expect(errorOf(reply)).toEqual({ code: 'invalid', fields: { [name]: 'malformed' } })
    })
  })
})
