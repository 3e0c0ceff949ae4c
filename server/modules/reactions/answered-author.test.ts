// The answered author of a reply: shown only to viewers who may see that member.
import { expect, test } from 'vitest'
import type { CommentView } from '#contract/posts/comments.ts'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld } from '#server/testing/world.ts'

for (const { kind, available } of databases)
  test.skipIf(!available)(
    `on ${kind}: a reply names the author it answers only while that member and comment are visible`,
    async () => {
      const world = await openWorld({ database: kind })
      const [author, fan, other] = [await signUp(world), await signUp(world), await signUp(world)]
      const post = await publish(world, author)
      const write = async (as: Member, more: object = {}) => {
        world.clock.now += 1000
        const body = { id: newId(), content: 'ことば', ...more }
        return (await call(world, as, 'POST', `/posts/${post}/comments`, body)).json<CommentView>().id
      }
      const top = await write(author)
      const answered = await write(other, { parent_id: top })
      await write(author, { parent_id: top, answers_id: answered })
      const answeredAuthor = async (as: Member) => {
        const { comments } = (await call(world, as, 'GET', `/comments/${top}/replies`)).json()
        const { body } = (comments as CommentView[]).at(-1) ?? {}
        return body?.is === 'shown' ? body.answers?.id : body
      }
      const execute = (sql: string) => world.database.executeSql(sql, [other.id])

      expect([await answeredAuthor(fan), await answeredAuthor(author)]).toEqual([other.id, other.id])
      await addBlock(world.deps.db, other.id, fan.id, world.clock.now)
      expect([await answeredAuthor(fan), await answeredAuthor(author)]).toEqual([undefined, other.id])
      await execute('delete from blocks where blocker_id = $1')
      await execute('update users set suspended_at = now() where id = $1')
      expect(await answeredAuthor(fan)).toBeUndefined()
      await execute('update users set suspended_at = null where id = $1')
      expect(await answeredAuthor(fan)).toBe(other.id)
      await call(world, other, 'DELETE', `/comments/${answered}`)
      expect(await answeredAuthor(fan)).toBeUndefined()
      await world.close()
    },
  )
