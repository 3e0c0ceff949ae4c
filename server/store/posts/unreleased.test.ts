// A withdrawal waits for a concurrent release, so that a released post is not removed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { asAnotherRequest } from '#server/testing/one-connection.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import { addPostOnce, findPost, releasePostOnce } from './posts.ts'
import { removeUnreleased } from './unreleased.ts'

// Only PostgreSQL: PGlite runs one transaction after the other.
const postgres = bothDatabases.find((it) => it.kind === 'postgres')

describe.skipIf(!postgres?.available)('on postgres', () => {
  let world: World
  let author: Member
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    author = await signUp(world)
  })
  afterAll(() => world.close())

  const waiting = async () => {
    const { rows } = await world.database.executeSql(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return (rows[0] as { n: number }).n
  }

  test('a post that a concurrent transaction releases is not removed', async () => {
    const { db } = world.deps
    const post = {
      id: newId(),
      authorId: author.id,
      idempotencyKey: null,
      type: 1 as const,
      content: '朝の海',
      isAgeLimited: false,
      price: null,
    }
    await addPostOnce(db, post, world.clock.now)
    let removing: ReturnType<typeof removeUnreleased> | undefined
    await db.transaction(async (tx) => {
      await releasePostOnce(tx, post.id, author.id, world.clock.now)
      await asAnotherRequest(async () => {
        removing = db.transaction((other) => removeUnreleased(other, post.id, author.id))
        await expect.poll(async () => (await waiting()) > 0).toBeTruthy()
      })
    })
    expect(await removing).toBe('released')
    expect(await findPost(db, post.id)).toMatchObject({ id: post.id, content: '朝の海' })
  })
})
