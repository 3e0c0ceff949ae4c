// Tests the access table with the real API: every viewer with every post.
// On both databases: the page, the lists, the comments, the export, the share card, and every file with every token and
// without one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import {
  cellOf,
  columns,
  isWhole,
  listedCellOf,
  lists,
  type ViewerName,
  viewerNames,
} from '#server/testing/people/access-table.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import type { ExhibitName, Gallery } from '#server/testing/people/gallery.ts'
import { call, errorOf } from '#server/testing/people/members.ts'
import type { Studio } from '#server/testing/people/studio.ts'
import { forEachAtOnce, openViewers, type Viewers } from '#server/testing/people/viewers.ts'
import { databases, type World } from '#server/testing/world.ts'

let world: World
let viewers: Viewers
let gallery: Gallery

const memberOf = (name: ViewerName) => viewers.memberOf(name)
const acceptedAs = (name: ViewerName) => viewers.acceptedAs(name)
/** The error code for a viewer who is not accepted as a member. */
const refusalOf = (name: ViewerName) => (name === 'suspended' ? 'suspended' : 'unauthenticated')
/** Whether a post has a share card. The card shows one of its pictures, so its files are public (decision 025). */
const isShared = (post: ExhibitName) => post === 'open'
/** Names of all files that a post may have. */
const filesOf = (post: ExhibitName) => [...gallery.posts[post].files, 'blurred', 'original']
const isSegment = (file: string) => file.endsWith('.m4s')
/** The same with only two segments of a video, since segments differ only by their numbers. */
const sampleFilesOf = (post: ExhibitName) => {
  const files = filesOf(post)
  const segments = files.filter(isSegment)
  return files.filter((it) => !isSegment(it) || it === segments[0] || it === segments.at(-1))
}

const keysOf = {
  full: 'content is media mentions',
  preview: 'blurred_url has_video image_count is plans price text_length wants',
}

/** Viewers whose access to the plan is paid by the month. */
const endsWithMonth: ReadonlySet<ViewerName> = new Set([
  'paidMember',
  'pastDueMember',
  'cancellingMember',
  'includedMember',
])

function expectView(view: PostView, name: ViewerName, post: ExhibitName): void {
  const { access } = view
  const cell = cellOf(name, post)
  const whole = access.is === 'full' && access.read_only ? 'kept' : 'all'
  expect([name, post, access.is === 'preview' ? access.wants : whole]).toEqual([name, post, cell])
  // Copies of what a paid month opens have an end.
  const until = endsWithMonth.has(name) && post.startsWith('plan') ? ['until'] : []
  const keys = [
    keysOf[access.is],
    ...(name === 'author' ? ['opens_with'] : []),
    ...(cell === 'kept' ? ['read_only'] : []),
    ...(access.is === 'preview' && post === 'video' ? ['video_seconds'] : []),
  ]
  expect(Object.keys(access).toSorted()).toEqual(
    [...keys.flatMap((it) => it.split(' ')), ...until].toSorted(),
  )
  if (access.is === 'preview') {
    expect(access.price).toBe(cell === 'purchase' ? 500 : null)
    expect(access.plans.map((it) => it.id)).toEqual(cell === 'plan' ? [gallery.planId] : [])
    expect(access.blurred_url).toContain(`/${gallery.posts[post].mediaId}/blurred?exp=`)
  }
}

/** Expects a reply without words, alternative texts and file ids of posts that this viewer may not read in full. */
function expectNoLeak(body: string, name: ViewerName, at: typeof cellOf): void {
  for (const post of columns) {
    if (isWhole(at(name, post))) continue
    const { words, mediaId } = gallery.posts[post]
    const rest = body.replaceAll(`${mediaId}/blurred`, '')
    expect([name, post, [...words, mediaId].filter((it) => rest.includes(it))]).toEqual([name, post, []])
  }
}

/** As `expectNoLeak`, for share cards, which show the beginning and one picture of open posts. */
const expectNoLeakOfClosed = (body: string) => {
  for (const post of columns.filter((it) => !isShared(it)))
    expect([post, gallery.posts[post].words.filter((it) => body.includes(it))]).toEqual([post, []])
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  let crawlerReplies: Map<ExhibitName, ReturnType<Studio['get']>>
  beforeAll(async () => {
    if (!available) return
    crawlerReplies = new Map()
    viewers = await openViewers(kind)
    world = viewers.world
    gallery = viewers.gallery
  }, 120_000)
  afterAll(() => (available ? viewers.close() : undefined))

  describe.skipIf(!available).each(viewerNames)('%s', (name) => {
    test('receives the view of each post that the table has, without words of closed posts', async () => {
      await forEachAtOnce(columns, async (post) => {
        const reply = await viewers.readPage(name, post)
        expectNoLeak(reply.body, name, cellOf)
        if (!acceptedAs(name)) return expect([post, errorOf(reply).code]).toEqual([post, refusalOf(name)])
        const visible = cellOf(name, post) !== '-'
        expect([post, reply.statusCode]).toEqual([post, visible ? 200 : 404])
        if (visible) expectView(reply.json<PostView>(), name, post)
      })
    })

    test('receives in each list exactly the visible posts, with the same views as on their pages', async () => {
      await forEachAtOnce(lists, async ({ name: list, path: at, holds }) => {
        const reply = await call(world, memberOf(name), 'GET', at(viewers.studio.creator.id))
        expectNoLeak(reply.body, name, listedCellOf)
        if (!acceptedAs(name)) return expect([list, errorOf(reply).code]).toEqual([list, refusalOf(name)])
        const { posts } = reply.json<{ posts: PostView[] }>()
        const known = columns.filter(
          (it) => it !== 'draft' && listedCellOf(name, it) !== '-' && holds(name, it),
        )
        const named = (id: string) => columns.find((it) => gallery.posts[it].id === id)
        expect([list, posts.map((it) => named(it.id)).toSorted()]).toEqual([list, known.toSorted()])
        for (const view of posts) expectView(view, name, named(view.id) ?? 'deleted')
      })
    })

    test('reads comments of only those posts that are open in full', async () => {
      const released = columns.filter((it) => it !== 'draft')
      await forEachAtOnce(released, async (post) => {
        const reply = await call(world, memberOf(name), 'GET', `/posts/${gallery.posts[post].id}/comments`)
        if (!acceptedAs(name)) return expect([post, errorOf(reply).code]).toEqual([post, refusalOf(name)])
        const cell = listedCellOf(name, post)
        const status = cell === 'all' ? 200 : cell === '-' ? 404 : 403
        expect([post, reply.statusCode]).toEqual([post, status])
        expect(reply.body.includes(defined(gallery.posts[post].words.at(-1)))).toBe(cell === 'all')
      })
    })

    test('reads exactly the files that the table allows, by addresses for this viewer', async () => {
      for (const post of columns) {
        const cell = cellOf(name, post)
        const refused = cell === '-' ? 404 : 403
        const addressOf = (file: string) =>
          viewers.studio.addressOf(gallery.posts[post].mediaId, file, acceptedAs(name))
        await forEachAtOnce(filesOf(post), async (file) => {
          const shown = isWhole(cell) || (!acceptedAs(name) && isShared(post))
          const blurred = cell !== '-' && file === 'blurred' && acceptedAs(name) !== null
          const allowed = shown ? file !== 'original' || name === 'author' : blurred
          const status = await viewers.statusAt(addressOf(file), memberOf(name))
          expect([post, file, status]).toEqual([post, file, allowed ? 200 : refused])
        })
        // Without a signature only public files are served.
        await forEachAtOnce(sampleFilesOf(post), async (file) => {
          const open = post === 'open' && file !== 'original' && cell !== '-'
          const unsigned = await viewers.statusAt(defined(addressOf(file).split('?')[0]), memberOf(name))
          expect([post, file, unsigned]).toEqual([post, file, open ? 200 : refused])
        })
      }
    })

    test('has addresses that open only public files to another member or without a token', async () => {
      const other = memberOf(name === 'everything' ? 'buyer' : 'everything')
      for (const post of columns) {
        const hidden = post === 'draft' || post === 'deleted'
        await forEachAtOnce(sampleFilesOf(post), async (file) => {
          const address = viewers.studio.addressOf(gallery.posts[post].mediaId, file, acceptedAs(name))
          const open = isShared(post) && file !== 'original'
          const refused = hidden ? 404 : 403
          expect([post, file, await viewers.statusAt(address, null)]).toEqual([
            post,
            file,
            open ? 200 : refused,
          ])
          expect([post, file, await viewers.statusAt(address, other)]).toEqual([
            post,
            file,
            open ? 200 : refused,
          ])
        })
      }
    })

    test('receives the same head of a page as a crawler, with words of open posts only', async () => {
      await forEachAtOnce(columns, async (post) => {
        const { id, words } = gallery.posts[post]
        const viewerReply = await viewers.studio.get(`/post/${id}`, memberOf(name))
        const pending = crawlerReplies.get(post) ?? viewers.studio.get(`/post/${id}`, null)
        crawlerReplies.set(post, pending)
        const crawlerReply = await pending
        expect([post, viewerReply.statusCode]).toEqual([post, cellOf('visitor', post) === '-' ? 404 : 200])
        expect(viewerReply.body).toBe(crawlerReply.body)
        expectNoLeakOfClosed(viewerReply.body)
        expect([post, viewerReply.body.includes(defined(words[0]))]).toEqual([post, post === 'open'])
        const picture = await viewers.statusAt(`/api/share/post/${id}.jpg`, memberOf(name))
        expect([post, picture]).toEqual([post, post === 'open' ? 200 : 404])
      })
    })

    test('exports only their own posts', async () => {
      const as = memberOf(name)
      if (!as || !acceptedAs(name)) {
        const reply = await call(world, as, 'POST', '/user/export')
        return expect(errorOf(reply).code).toBe(as ? 'suspended' : 'unauthenticated')
      }
      const entries = await exportOf(world, as)
      expect(entries.map((it) => it.name)).toContain('posts.json')
      const exported = entries.map((it) => `${it.name}\n${it.bytes.toString('latin1')}`).join('\n')
      for (const post of columns) {
        const { words, mediaId } = gallery.posts[post]
        const latin = (it: string) => Buffer.from(it).toString('latin1')
        const found = [...words.map(latin), mediaId].filter((it) => exported.includes(it)).length
        if (name !== 'author') expect([post, found]).toEqual([post, 0])
        else expect([post, found > 0]).toEqual([post, true])
      }
    })
  })

  test.skipIf(!available)(
    'the payments of the table have the states that its viewers are named for',
    async () => {
      const stateOf = async (it: ViewerName) => {
        const { rows } = await world.database.executeSql('select state from payments where user_id = $1', [
          memberOf(it)?.id,
        ])
        return (rows as { state: string }[]).map((row) => row.state)
      }
      const payers = ['buyer', 'refunded', 'paying', 'cardRefused', 'expired'] as const
      const states = ['paid', 'refunded', 'pending', 'refused', 'expired']
      expect(await Promise.all(payers.map(stateOf))).toEqual(states.map((it) => Array(4).fill(it)))
    },
  )

  test.skipIf(!available)(
    'the memberships of the table have the states that its viewers are named for',
    async () => {
      const stateOf = async (it: ViewerName) => {
        const { rows } = await world.database.executeSql(
          'select state, why from memberships where user_id = $1',
          [memberOf(it)?.id],
        )
        return (rows as { state: string; why: string | null }[]).map((row) => `${row.state} ${row.why ?? ''}`)
      }
      const states: readonly (readonly [ViewerName, readonly string[]])[] = [
        ['paidMember', ['active ']],
        ['pastDueMember', ['past_due ']],
        ['cancellingMember', ['cancelling cancelled']],
        ['includedMember', ['active ']],
        ['endedMember', ['ended cancelled']],
        ['refundedMember', ['ended refunded']],
        ['joiningMember', []],
        ['closedPlanMember', ['ended plan_closed']],
        ['blockedMember', ['ended blocked']],
      ]
      const names = states.map(([it]) => it)
      expect(await Promise.all(names.map(stateOf))).toEqual(states.map(([, it]) => it))
    },
  )

  test.skipIf(!available)(
    'the video of the table has an init segment and at least ten media segments',
    () => {
      const { files } = gallery.posts.video
      expect(files).toContain('hls/init.mp4')
      expect(files.filter((it) => /\d\.m4s$/.test(it)).length).toBeGreaterThanOrEqual(10)
    },
  )
})
