// Every viewer by every post against the API itself: the page, the lists, and every file by every token.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '#contract/posts.ts'
import { type ExhibitName, type Gallery, openGallery } from '#server/testing/gallery.ts'
import { call, errorOf, type Member } from '#server/testing/members.ts'
import { openStudio, type Studio } from '#server/testing/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const columns = [
  'open',
  'plan',
  'priced',
  'open18',
  'plan18',
  'priced18',
  'film',
  'draft',
  'deleted',
] as const satisfies readonly ExhibitName[]

/**
 * What each viewer sees of each post, in the order of `columns`; `film` is priced, `draft` and `deleted` are priced too.
 * `all`: everything. `-`: nothing. Else the preview, and what it wants.
 */
const table = {
  visitor: 'all plan purchase sign_in sign_in sign_in purchase - -',
  member: 'all plan purchase all plan purchase purchase - -',
  follower: 'all plan purchase all plan purchase purchase - -',
  planMember: 'all all purchase all all purchase purchase - -',
  formerMember: 'all plan purchase all plan purchase purchase - -',
  buyer: 'all plan all all plan all all - -',
  refunded: 'all plan purchase all plan purchase purchase - -',
  everything: 'all all all all all all all - -',
  muter: 'all all all all all all all - -',
  blocked: '- - - - - - - - -',
  blocker: '- - - - - - - - -',
  young: 'all all all - - - all - -',
  careful: 'all all all age age age all - -',
  admin: 'all plan purchase all plan purchase purchase - -',
  suspended: 'all plan purchase sign_in sign_in sign_in purchase - -',
  author: 'all all all all all all all all -',
}
type Name = keyof typeof table
const names = Object.keys(table) as Name[]
const cellOf = (name: Name, post: ExhibitName) => table[name].split(' ')[columns.indexOf(post)] ?? '-'

let world: World
let studio: Studio
let gallery: Gallery
beforeAll(async () => {
  world = await openWorld()
  studio = await openStudio(world)
  gallery = await openGallery(world, studio)
}, 120_000)
afterAll(() => world.close())

const person = (name: Name): Member | null => gallery.viewers[name] ?? null
/** Whom the server takes them for: who was shut out is a visitor. */
const taken = (name: Name) => (name === 'suspended' ? null : person(name))
const page = (name: Name, post: ExhibitName) =>
  call(world, person(name), 'GET', `/posts/${gallery.posts[post].id}`)
const statusAt = async (path: string, as: Member | null) => (await studio.get(path, as)).statusCode

/** Each way by which posts reach a screen. A new one is one line. */
const lists: readonly {
  readonly name: string
  readonly path: () => string
  /** Who may ask at all; everybody else is unauthenticated. */
  readonly asks: 'everyone' | 'members'
  /** Whether a post this viewer may know of stands in it. */
  readonly holds: (viewer: Name, post: ExhibitName) => boolean
}[] = [
  { name: 'all posts', path: () => '/posts', asks: 'everyone', holds: () => true },
  {
    name: 'an author’s posts',
    path: () => `/posts?author=${studio.creator.id}`,
    asks: 'everyone',
    holds: () => true,
  },
  {
    name: 'home, latest',
    path: () => '/feed/latest',
    asks: 'members',
    holds: (viewer) => viewer !== 'muter',
  },
  {
    name: 'home, following',
    path: () => '/feed/following',
    asks: 'members',
    holds: (viewer) => viewer === 'follower' || viewer === 'author',
  },
  {
    name: 'home, plans',
    path: () => '/feed/plans',
    asks: 'members',
    holds: (viewer, post) =>
      post.startsWith('plan') && ['planMember', 'everything', 'young', 'careful'].includes(viewer),
  },
  {
    name: 'search',
    path: () => `/search/posts?q=${encodeURIComponent('ひみつ')}`,
    asks: 'members',
    // Words of a post that is closed to somebody find nothing.
    holds: (viewer, post) => viewer !== 'muter' && cellOf(viewer, post) === 'all',
  },
]

const keysOf = {
  full: 'content is media mentions',
  preview: 'blurred_url has_video image_count is plans price wants',
}

function expectView(view: PostView, name: Name, post: ExhibitName): void {
  const { access } = view
  const cell = cellOf(name, post)
  expect([name, post, access.is === 'full' ? 'all' : access.wants]).toEqual([name, post, cell])
  const keys = keysOf[access.is] + (name === 'author' ? ' opens_with' : '')
  expect(Object.keys(access).toSorted().join(' ')).toBe(keys)
  if (access.is === 'preview') {
    expect(access.price).toBe(cell === 'purchase' ? 500 : null)
    expect(access.plans.map((it) => it.id)).toEqual(cell === 'plan' ? [gallery.planId] : [])
    expect(access.blurred_url).toContain(`/${gallery.posts[post].mediaId}/blurred?exp=`)
  }
}

/** Words, alternative texts and files of posts that are not open to this viewer are nowhere in what they were sent. */
function expectNoLeak(body: string, name: Name): void {
  for (const post of columns) {
    if (cellOf(name, post) === 'all') continue
    const { words, mediaId } = gallery.posts[post]
    const rest = body.replaceAll(`${mediaId}/blurred`, '')
    expect([name, post, [...words, mediaId].filter((it) => rest.includes(it))]).toEqual([name, post, []])
  }
}

describe.each(names)('%s', (name) => {
  test('sees of each post what the table says, and not a word more', async () => {
    for (const post of columns) {
      const reply = await page(name, post)
      expectNoLeak(reply.body, name)
      const there = cellOf(name, post) !== '-'
      expect([post, reply.statusCode]).toEqual([post, there ? 200 : 404])
      if (there) expectView(reply.json<PostView>(), name, post)
    }
  })

  test('finds in each list the posts they may know of, seen as on their pages', async () => {
    for (const { name: list, path, asks, holds } of lists) {
      const reply = await call(world, person(name), 'GET', path())
      if (asks === 'members' && !taken(name)) {
        const code = name === 'suspended' ? 'suspended' : 'unauthenticated'
        expect([list, errorOf(reply).code]).toEqual([list, code])
        continue
      }
      expectNoLeak(reply.body, name)
      const { posts } = reply.json<{ posts: PostView[] }>()
      const known = columns.filter((it) => it !== 'draft' && cellOf(name, it) !== '-' && holds(name, it))
      const named = (id: string) => columns.find((it) => gallery.posts[it].id === id)
      expect([list, posts.map((it) => named(it.id)).toSorted()]).toEqual([list, known.toSorted()])
      for (const view of posts) expectView(view, name, named(view.id) ?? 'deleted')
    }
  })

  test('reads the comments below the posts they see in full', async () => {
    for (const post of columns) {
      if (post === 'draft') continue
      const reply = await call(world, person(name), 'GET', `/posts/${gallery.posts[post].id}/comments`)
      const cell = cellOf(name, post)
      const status = cell === 'all' ? 200 : cell === '-' ? 404 : 403
      expect([post, reply.statusCode]).toEqual([post, status])
      expect(reply.body.includes(gallery.posts[post].words.at(-1) ?? '')).toBe(cell === 'all')
    }
  })

  test('opens the files the table says, by their own token and their own address alone', async () => {
    const other = person(name === 'everything' ? 'buyer' : 'everything')
    for (const post of columns) {
      const cell = cellOf(name, post)
      const { mediaId, files } = gallery.posts[post]
      const gone = post === 'draft' || post === 'deleted' ? 404 : 403
      const own = cell === '-' ? 404 : 403
      for (const file of [...files, 'blurred', 'original']) {
        const path = studio.addressOf(mediaId, file, taken(name))
        const may =
          cell === 'all' ? file !== 'original' || name === 'author' : cell !== '-' && file === 'blurred'
        expect([post, file, await statusAt(path, person(name))]).toEqual([post, file, may ? 200 : own])
      }
      for (const file of post === 'priced' ? [files.at(-1) ?? '', 'blurred'] : [files.at(-1) ?? '']) {
        const path = studio.addressOf(mediaId, file, taken(name))
        const open = post === 'open'
        const visitors = !taken(name) && file === 'blurred' && gone === 403
        const expected = [open || visitors ? 200 : gone, open ? 200 : gone]
        expect([post, file, await statusAt(path, null), await statusAt(path, other)]).toEqual([
          post,
          file,
          ...expected,
        ])
        if (open) continue
        const bare = await statusAt(path.split('?')[0] ?? '', person(name))
        expect([post, file, bare]).toEqual([post, file, own])
      }
    }
  })
})

test('the film has a playlist, its beginning and each of its pieces among the files tried', () => {
  const { files } = gallery.posts.film
  expect(files).toContain('hls/init.mp4')
  expect(files.filter((it) => /\d\.m4s$/.test(it)).length).toBeGreaterThanOrEqual(10)
})

describe.each([
  ['suspended', 'update users set suspended_at = now() where id = $1'],
  [
    'leaving',
    `insert into deletions (user_id, reason, requested_at, due_at, undo_hash) values ($1, 'other', now(), now(), 'x')`,
  ],
  ['gone', 'update users set deleted_at = now() where id = $1'],
])('of an author who is %s', (_, statement) => {
  test('nobody sees a post, a list or a file any more, the author neither', async () => {
    const run = (sql: string) => world.database.executeSql(sql, [studio.creator.id])
    await run(statement)
    for (const name of ['visitor', 'everything', 'admin', 'author'] as const) {
      for (const post of ['open', 'priced'] as const) {
        expect([name, post, (await page(name, post)).statusCode]).toEqual([name, post, 404])
        const { mediaId } = gallery.posts[post]
        for (const file of ['w480', 'blurred'])
          expect(await statusAt(studio.addressOf(mediaId, file, taken(name)), person(name))).toBe(404)
      }
      for (const { path } of lists) {
        const { posts = [] } = (await call(world, person(name), 'GET', path())).json<{ posts?: PostView[] }>()
        expect(posts).toEqual([])
      }
    }
    await run('update users set suspended_at = null, deleted_at = null where id = $1')
    await run('delete from deletions where user_id = $1')
    expect((await page('visitor', 'open')).statusCode).toBe(200)
  })
})
