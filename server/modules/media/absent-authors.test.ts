// Posts of an author who is suspended, leaving or deleted, for every viewer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import {
  cellOfAbsent,
  cellOfDeleted,
  columns,
  isWhole,
  lists,
  viewerNames,
} from '#server/testing/people/access-table.ts'
import type { ExhibitName } from '#server/testing/people/gallery.ts'
import { call } from '#server/testing/people/members.ts'
import { forEachAtOnce, openViewers, type Viewers } from '#server/testing/people/viewers.ts'
import { databases } from '#server/testing/world.ts'

let viewers: Viewers

describe.each(databases)('on $kind', ({ kind, available }) => {
  beforeAll(async () => {
    if (available) viewers = await openViewers(kind)
  }, 120_000)
  afterAll(() => (available ? viewers.close() : undefined))

  describe.skipIf(!available).each([
    ['suspended', 'update users set suspended_at = now() where id = $1', cellOfAbsent],
    [
      'leaving',
      `insert into deletions (user_id, reason, requested_at, due_at, undo_hash) values ($1, 'other', now(), now(), 'x')`,
      cellOfAbsent,
    ],
    ['deleted', 'update users set deleted_at = now() where id = $1', cellOfDeleted],
  ] as const)('posts of an author who is %s', (_, statement, cell) => {
    const run = (sql: string) => viewers.world.database.executeSql(sql, [viewers.studio.creator.id])
    beforeAll(() => run(statement))
    afterAll(async () => {
      await run('update users set suspended_at = null, deleted_at = null where id = $1')
      await run('delete from deletions where user_id = $1')
      expect((await viewers.readPage('member', 'open')).statusCode).toBe(200)
    })

    test('are not_found for a crawler', async () => {
      await forEachAtOnce(columns, async (post) => {
        const { id } = viewers.gallery.posts[post]
        expect([post, await viewers.statusAt(`/post/${id}`, null)]).toEqual([post, 404])
        expect([post, await viewers.statusAt(`/api/share/post/${id}.jpg`, null)]).toEqual([post, 404])
      })
    })

    test.each(viewerNames)(
      '%s receives only what they have paid for: posts, lists and files',
      async (name) => {
        const opens = (post: ExhibitName) => isWhole(cell(name, post))
        await forEachAtOnce(columns, async (post) => {
          const { mediaId, files } = viewers.gallery.posts[post]
          const { statusCode } = await viewers.readPage(name, post)
          // The author's own session is closed with the account.
          const refusals = viewers.acceptedAs(name) ? (name === 'author' ? [403, 404] : [404]) : [401, 403]
          expect([
            name,
            post,
            cell(name, post) === '-' ? refusals.includes(statusCode) : statusCode === 200,
          ]).toEqual([name, post, true])
          for (const file of new Set([files[0] ?? '', files.at(-1) ?? ''])) {
            const address = viewers.studio.addressOf(mediaId, file, viewers.acceptedAs(name))
            const expected = opens(post) ? 200 : cell(name, post) === '-' ? 404 : 403
            expect([post, file, await viewers.statusAt(address, viewers.memberOf(name))]).toEqual([
              post,
              file,
              expected,
            ])
          }
          const original = await viewers.statusAt(
            viewers.studio.addressOf(mediaId, 'original', viewers.acceptedAs(name)),
            viewers.memberOf(name),
          )
          expect([post, original]).toEqual([post, cell(name, post) === '-' ? 404 : 403])
        })
        for (const { path: at } of lists) {
          const { posts = [] } = (
            await call(viewers.world, viewers.memberOf(name), 'GET', at(viewers.studio.creator.id))
          ).json<{
            posts?: PostView[]
          }>()
          const shown = columns.filter((post) => posts.some((it) => it.id === viewers.gallery.posts[post].id))
          expect([name, at('x'), shown.filter((post) => ['-', 'kept'].includes(cell(name, post)))]).toEqual([
            name,
            at('x'),
            [],
          ])
        }
      },
    )
  })
})
