// Stored counts equal the counted rows after many concurrent likes, follows and comments (decision 024).
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('counts', () => {
    let world: World
    let people: Member[]
    let post: string
    const at = new Date().toISOString()
    const run = (statement: string, values: readonly unknown[] = []) =>
      world.database.executeSql(statement, values)
    const rows = async (statement: string, values: readonly unknown[] = []) =>
      (await run(statement, values)).rows as Record<string, number>[]

    beforeAll(async () => {
      world = await openWorld({ database: kind })
      people = []
      for (let i = 0; i < 8; i++) people.push(await signUp(world))
      post = await addPost()
      return () => world.close()
    })

    async function addPost(): Promise<string> {
      const id = newId()
      await run(
        `insert into posts (id, author_id, type, content, is_age_limited, created_at, released_at)
         values ($1, $2, 1, '', false, $3, $3)`,
        [id, people[0]?.id, at],
      )
      return id
    }

    async function comment(author: Member | undefined, parent: string | null): Promise<string> {
      const id = newId()
      await run(
        `insert into comments (id, post_id, author_id, parent_id, content, created_at) values ($1, $2, $3, $4, '', $5)`,
        [id, post, author?.id, parent, at],
      )
      return id
    }

    /** Stored counts that differ from the rows. */
    const wrong = () =>
      rows(
        `select 'post' as what, likes, comments from post_counts c where
           likes <> (select count(*) from post_likes where post_id = c.post_id) or
           comments <> (select count(*) from comments where post_id = c.post_id and deleted_at is null)
         union all
         select 'person', followers, following from person_counts c where
           followers <> (select count(*) from follows where followed_id = c.user_id) or
           following <> (select count(*) from follows where follower_id = c.user_id)`,
      )

    test('counts equal the rows after a thousand concurrent likes, unlikes, follows and unfollows', async () => {
      const toggle = (i: number) => {
        const [a, b] = [people[i % 8]?.id, people[(i * 5 + 1 + (i >> 3)) % 8]?.id]
        const on = Math.floor(i / 8) % 3 !== 2
        if (i % 2 === 0)
          return on
            ? run(
                `insert into post_likes (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`,
                [post, a, at],
              )
            : run(`delete from post_likes where post_id = $1 and user_id = $2`, [post, a])
        return on
          ? run(
              `insert into follows (follower_id, followed_id, created_at) values ($1, $2, $3) on conflict do nothing`,
              [a, b, at],
            )
          : run(`delete from follows where follower_id = $1 and followed_id = $2`, [a, b])
      }
      await Promise.all(Array.from({ length: 1000 }, (_, i) => toggle(i)))
      await run(
        `insert into post_likes (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`,
        [post, people[1]?.id, at],
      )
      expect(await wrong()).toEqual([])
    })

    test('counts equal the rows after a thousand concurrent comments, deletions, restorations and likes', async () => {
      const above = await Promise.all([1, 2, 3].map((i) => comment(people[i], null)))
      const change = async (i: number) => {
        const id = await comment(people[i % 8], i % 4 === 0 ? null : (above[i % 3] ?? null))
        if (i % 3 > 0) await run(`update comments set deleted_at = $2 where id = $1`, [id, at])
        if (i % 3 > 1) await run(`update comments set deleted_at = null where id = $1`, [id])
        await run(
          `insert into comment_likes (comment_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`,
          [above[i % 3], people[i % 8]?.id, at],
        )
        if (i % 2 === 0)
          await run(`delete from comment_likes where comment_id = $1 and user_id = $2`, [
            above[i % 3],
            people[i % 8]?.id,
          ])
      }
      await Promise.all(Array.from({ length: 250 }, (_, i) => change(i)))
      expect(await wrong()).toEqual([])
      expect(
        await rows(`select comment_id from comment_counts c where
          likes <> (select count(*) from comment_likes where comment_id = c.comment_id) or
          replies <> (select count(*) from comments where parent_id = c.comment_id and deleted_at is null)`),
      ).toEqual([])
      const [{ comments } = {}] = await rows(`select comments from post_counts where post_id = $1`, [post])
      expect(comments).toBeGreaterThan(3)
    })

    test('a deleted comment is not counted, but its replies are; a restored comment is counted again', async () => {
      const first = await comment(people[1], null)
      const reply = await comment(people[2], first)
      await comment(people[3], first)
      const counted = async () =>
        (await rows(`select replies from comment_counts where comment_id = $1`, [first]))[0]?.['replies']
      expect(await counted()).toBe(2)
      await run(`update comments set deleted_at = $2 where id = any($1)`, [[first, reply], at])
      expect(await counted()).toBe(1)
      expect(await wrong()).toEqual([])
      await run(`update comments set deleted_at = null where id = $1`, [reply])
      expect(await counted()).toBe(2)
      expect(await wrong()).toEqual([])
      await run(`delete from comments where id = $1`, [reply])
      expect(await counted()).toBe(1)
      expect(await wrong()).toEqual([])
    })

    test('rows deleted by cascade change the counts too', async () => {
      const above = await comment(people[1], null)
      const reply = await comment(people[2], above)
      await run(`insert into comment_likes (comment_id, user_id, created_at) values ($1, $2, $3)`, [
        reply,
        people[3]?.id,
        at,
      ])
      expect(await rows(`select likes from comment_counts where comment_id = $1`, [reply])).toEqual([
        { likes: 1 },
      ])
      await run(`delete from comment_likes where comment_id = $1`, [reply])
      expect(await rows(`select likes from comment_counts where comment_id = $1`, [reply])).toEqual([
        { likes: 0 },
      ])
      await run(`delete from comments where id = $1`, [above])
      expect(await wrong()).toEqual([])
      await run(`delete from posts where id = $1`, [await addPost()])
    })
  })
})
