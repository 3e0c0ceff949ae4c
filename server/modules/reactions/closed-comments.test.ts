// An author closes the comments of a post, and opens them again.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addPost, call, errorOf, type Member, postIdOf, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('closed comments', () => {
    let world: World
    let author: Member
    let reader: Member
    let postId: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      ;[author, reader] = [await signUp(world), await signUp(world)]
      const fields = [
        ['content', 'こんにちは'],
        ['type', '1'],
      ] as [string, string][]
      postId = postIdOf(await addPost(world, author, fields, newId()))
      await call(world, author, 'POST', `/post/release-uploaded/${postId}`)
    })

    const close = (isClosed: boolean, by = author) =>
      call(world, by, 'PATCH', `/posts/${postId}`, { comments_closed: isClosed })
    const comment = (by: Member, id: string, parentId: string | null = null) =>
      call(world, by, 'POST', `/posts/${postId}/comments`, { id, content: 'いいですね', parent_id: parentId })

    test('take no comment and no reply, of the author neither; those that exist stay and can be liked', async () => {
      const id = newId()
      await comment(reader, id)
      expect((await close(true)).json()).toMatchObject({ comments_closed: true, edited_at: null })
      for (const by of [reader, author]) {
        expect(errorOf(await comment(by, newId()))).toEqual({ code: 'comments_closed' })
        expect(errorOf(await comment(by, newId(), id))).toEqual({ code: 'comments_closed' })
      }
      const { comments } = (await call(world, reader, 'GET', `/posts/${postId}/comments`)).json()
      expect(comments.map((it: { id: string }) => it.id)).toEqual([id])
      expect((await call(world, author, 'PUT', `/comments/${id}/like`)).statusCode).toBe(200)
    })

    test('a comment that arrived before has its reply again, and the comments open again', async () => {
      const id = newId()
      await comment(reader, id)
      await close(true)
      expect((await comment(reader, id)).json().id).toBe(id)
      expect((await close(false)).json()).toMatchObject({ comments_closed: false })
      expect((await comment(reader, newId())).statusCode).toBe(200)
    })

    test('a post can be added with closed comments; without a choice they are open', async () => {
      const added = async (more: readonly [string, string][]) => {
        const fields: [string, string][] = [['content', 'お知らせ'], ['type', '1'], ...more]
        postId = postIdOf(await addPost(world, author, fields, newId()))
        await call(world, author, 'POST', `/post/release-uploaded/${postId}`)
        return (await call(world, reader, 'GET', `/posts/${postId}`)).json().comments_closed
      }
      expect(await added([['comments_closed', '0']])).toBe(false)
      expect(await added([])).toBe(false)
      expect(await added([['comments_closed', '1']])).toBe(true)
      expect(errorOf(await comment(reader, newId())).code).toBe('comments_closed')
    })

    test('are closed by the author alone', async () => {
      expect(errorOf(await close(true, reader)).code).toBe('not_found')
      expect((await comment(reader, newId())).statusCode).toBe(200)
    })
  })
})
