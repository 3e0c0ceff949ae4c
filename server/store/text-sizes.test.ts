// The database refuses text above its size, and leaves rows from before the limits unchanged.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import {
  addPost,
  call,
  errorOf,
  identify,
  type Member,
  postIdOf,
  signUp,
} from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { migrationsFolder } from './database.ts'

const CLUSTER = `a${'\u0301'.repeat(400_000)}`

/** Statements that add and drop the limits of the migration. */
function limits(): { add: string[]; drop: string[] } {
  const file = defined(readdirSync(migrationsFolder).find((it) => it.endsWith('_text_sizes.sql')))
  const all = readFileSync(path.join(migrationsFolder, file), 'utf8').split('--> statement-breakpoint')
  const add = all.filter((it) => /CREATE TRIGGER|ADD CONSTRAINT/.test(it))
  const drop = add.map((it) => {
    const [, name] = /CREATE TRIGGER (\w+)/.exec(it) ?? []
    const [, table] = / ON (\w+) FOR/.exec(it) ?? []
    if (name !== undefined) return `drop trigger ${name} on ${table}`
    const [, of, constraint] = /ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)"/.exec(it) ?? []
    return `alter table ${of} drop constraint ${constraint}`
  })
  return { add, drop }
}

/** The error code and the name of the constraint that a statement violates. */
async function violationOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing',
    (error: { code?: string; constraint?: string; cause?: { code?: string; constraint?: string } }) => {
      const { code, constraint } = error.cause ?? error
      return `${code} ${constraint}`
    },
  )
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('text in the database', () => {
    let world: World
    let author: Member
    let reader: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUp(world)
      await identify(world, author)
      reader = await signUp(world)
    })
    afterAll(() => world.close())

    const run = (text: string, values: unknown[] = []) => world.database.executeSql(text, values)
    const post = async () =>
      postIdOf(
        await addPost(
          world,
          author,
          [
            ['content', 'ねこ'],
            ['type', '1'],
          ],
          newId(),
        ),
      )

    test.each([
      ['posts_content_size', `update posts set content = $1`, CLUSTER],
      ['posts_content_size', `update posts set content = $1`, 'あ'.repeat(53_334)],
      ['posts_content_size', `update posts set content = $1`, `a${'\u0301'.repeat(9)}`],
      ['users_name_size', `update users set name = $1`, 'あ'.repeat(267)],
      ['users_name_characters', `update users set name = $1`, '花\u202e子'],
      ['users_name_characters', `update users set name = $1`, '花\n子'],
      ['users_handle_characters', `update users set handle = $1`, 'Ｈａｒｕ'],
      ['users_bio_size', `update users set bio = $1`, 'x'.repeat(6401)],
      ['users_links_size', `update users set links = to_jsonb($1::text)`, 'x'.repeat(32_769)],
      ['users_email_size', `update users set email = $1`, 'x'.repeat(255)],
      ['sessions_device_size', `update sessions set device = $1`, 'あ'.repeat(401)],
      [
        'registrations_name_size',
        `insert into registrations (id, email, password_hash, name, birth_date, token_hash, claim_hash, created_at, expires_at)
         values (gen_random_uuid(), 'a@example.com', 'x', $1, '1990-01-01', 'x', 'x', now(), now())`,
        'x'.repeat(801),
      ],
      [
        'plans_name_size',
        `insert into plans (id, creator_id, name, price, created_at) select gen_random_uuid(), id, $1, 500, now() from users limit 1`,
        'x'.repeat(801),
      ],
      [
        'deletions_note_size',
        `insert into deletions (user_id, reason, note, requested_at, due_at, undo_hash)
         select id, 'other', $1, now(), now(), 'x' from users limit 1`,
        'x'.repeat(8001),
      ],
    ])('%s refuses a larger text', async (name, statement, text) => {
      await post()
      expect(await violationOf(run(statement, [text]))).toBe(`23514 ${name}`)
    })

    test('a post of 800 kB from before the limits is read, liked, released, reported, shortened and deleted', async () => {
      const [id, unreleased, comment] = [await post(), await post(), newId()]
      const { add, drop } = limits()
      for (const it of drop) await run(it)
      await call(world, author, 'POST', `/post/release-uploaded/${id}`)
      const body = { id: comment, content: 'ねこ' }
      await call(world, reader, 'POST', `/posts/${id}/comments`, body)
      await run(`update posts set content = $1 where id in ($2, $3)`, [CLUSTER, id, unreleased])
      await run(`update comments set content = $1`, [CLUSTER])
      await run(`update users set bio = $1 where id = $2`, [CLUSTER, author.id])
      for (const it of add) await run(it)

      const read = await call(world, reader, 'GET', `/posts/${id}`)
      expect(read.json().access.content).toBe(CLUSTER)
      const status = async (work: ReturnType<typeof call>) => (await work).statusCode
      expect(await status(call(world, reader, 'GET', `/posts/${id}/comments`))).toBe(200)
      expect(await status(call(world, reader, 'PUT', `/posts/${id}/like`))).toBe(200)
      expect(await status(call(world, author, 'POST', `/post/release-uploaded/${unreleased}`))).toBe(200)
      expect(await status(call(world, reader, 'PUT', `/reports/post/${id}`, { reason: 'spam' }))).toBe(200)
      expect(
        await status(call(world, reader, 'PUT', `/reports/person/${author.id}`, { reason: 'spam' })),
      ).toBe(200)
      const audience = { audience: { type: 3, price: 500 } }
      expect(await status(call(world, author, 'PATCH', `/posts/${unreleased}`, audience))).toBe(200)
      await run(`update users set suspended_at = now() where id = $1`, [author.id])
      await run(`update users set suspended_at = null where id = $1`, [author.id])
      expect(
        errorOf(await call(world, author, 'PATCH', `/posts/${id}`, { content: CLUSTER })).fields,
      ).toEqual({
        content: 'too_many_bytes',
      })
      expect(await status(call(world, author, 'PATCH', `/posts/${id}`, { content: '短い' }))).toBe(200)
      expect(await status(call(world, reader, 'DELETE', `/comments/${comment}`))).toBe(200)
      expect(await status(call(world, author, 'DELETE', `/posts/${unreleased}`))).toBe(200)
      const profile = { name: '汐見', handle: '', bio: '短い', links: [] }
      expect(await status(call(world, author, 'PUT', '/profile', profile))).toBe(200)
    })
  })
})
