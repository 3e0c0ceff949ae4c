// Every viewer by every post with the real API, on both databases: the page, the lists, the export, the share card, and
// every file with every token and without one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { cellOf, columns, lists, type ViewerName, viewerNames } from '#server/testing/people/access-table.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { type ExhibitName, type Gallery, openGallery } from '#server/testing/people/gallery.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
let gallery: Gallery

const person = (name: ViewerName): Member | null => gallery.viewers[name] ?? null
/** Whom the server takes them for: who was shut out is a visitor. */
const taken = (name: ViewerName) => (name === 'suspended' ? null : person(name))
/** What the API answers to those who are not signed in. */
const refusalOf = (name: ViewerName) => (name === 'suspended' ? 'suspended' : 'unauthenticated')
/** A share card shows one picture of an open post, so its files are open to everybody (decision 025). */
const isShared = (post: ExhibitName) => post === 'open'
const page = (name: ViewerName, post: ExhibitName) =>
  call(world, person(name), 'GET', `/posts/${gallery.posts[post].id}`)
const statusAt = async (address: string, as: Member | null) => (await studio.get(address, as)).statusCode
/** Every file of a post there can be. */
const filesOf = (post: ExhibitName) => [...gallery.posts[post].files, 'blurred', 'original']
const isPiece = (file: string) => file.endsWith('.m4s')
/** The same with two pieces of a film: one differs from another by its number alone. */
const kindsOf = (post: ExhibitName) => {
  const files = filesOf(post)
  const pieces = files.filter(isPiece)
  return files.filter((it) => !isPiece(it) || it === pieces[0] || it === pieces.at(-1))
}
/** For all of them at once: the servers of the databases work while others wait. */
const ofEach = <T>(all: readonly T[], look: (it: T) => Promise<void>) => Promise.all(all.map(look))

const keysOf = {
  full: 'content is media mentions',
  preview: 'blurred_url has_video image_count is plans price wants',
}

function expectView(view: PostView, name: ViewerName, post: ExhibitName): void {
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
function expectNoLeak(body: string, name: ViewerName): void {
  for (const post of columns) {
    if (cellOf(name, post) === 'all') continue
    const { words, mediaId } = gallery.posts[post]
    const rest = body.replaceAll(`${mediaId}/blurred`, '')
    expect([name, post, [...words, mediaId].filter((it) => rest.includes(it))]).toEqual([name, post, []])
  }
}

/** As `expectNoLeak`, for share cards: they show the beginning and one picture of open posts. */
const expectNoLeakOfClosed = (body: string) => {
  for (const post of columns.filter((it) => !isShared(it)))
    expect([post, gallery.posts[post].words.filter((it) => body.includes(it))]).toEqual([post, []])
}

const SHELL = '<html><head><title>とどけ</title></head><body></body></html>'

describe.each(databases)('on $kind', ({ kind, available }) => {
  let dist: string
  let heads: Map<ExhibitName, ReturnType<Studio['get']>>
  beforeAll(async () => {
    if (!available) return
    heads = new Map()
    dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
    await writeFile(path.join(dist, 'index.html'), SHELL)
    await writeFile(path.join(dist, 'pages.json'), '["/", "/post/$id", "/profile/$id"]')
    world = await openWorld({ database: kind, settings: { dist } })
    studio = await openStudio(world)
    gallery = await openGallery(world, studio)
  }, 120_000)
  afterAll(async () => {
    if (!available) return
    await world.close()
    await rm(dist, { recursive: true })
  })

  describe.skipIf(!available).each(viewerNames)('%s', (name) => {
    test('sees of each post what the table says, and not a word more', async () => {
      await ofEach(columns, async (post) => {
        const reply = await page(name, post)
        expectNoLeak(reply.body, name)
        if (!taken(name)) return expect([post, errorOf(reply).code]).toEqual([post, refusalOf(name)])
        const there = cellOf(name, post) !== '-'
        expect([post, reply.statusCode]).toEqual([post, there ? 200 : 404])
        if (there) expectView(reply.json<PostView>(), name, post)
      })
    })

    test('finds in each list the posts they may know of, seen as on their pages', async () => {
      await ofEach(lists, async ({ name: list, path: at, holds }) => {
        const reply = await call(world, person(name), 'GET', at(studio.creator.id))
        expectNoLeak(reply.body, name)
        if (!taken(name)) return expect([list, errorOf(reply).code]).toEqual([list, refusalOf(name)])
        const { posts } = reply.json<{ posts: PostView[] }>()
        const known = columns.filter((it) => it !== 'draft' && cellOf(name, it) !== '-' && holds(name, it))
        const named = (id: string) => columns.find((it) => gallery.posts[it].id === id)
        expect([list, posts.map((it) => named(it.id)).toSorted()]).toEqual([list, known.toSorted()])
        for (const view of posts) expectView(view, name, named(view.id) ?? 'deleted')
      })
    })

    test('reads the comments below the posts they see in full', async () => {
      const released = columns.filter((it) => it !== 'draft')
      await ofEach(released, async (post) => {
        const reply = await call(world, person(name), 'GET', `/posts/${gallery.posts[post].id}/comments`)
        if (!taken(name)) return expect([post, errorOf(reply).code]).toEqual([post, refusalOf(name)])
        const cell = cellOf(name, post)
        const status = cell === 'all' ? 200 : cell === '-' ? 404 : 403
        expect([post, reply.statusCode]).toEqual([post, status])
        expect(reply.body.includes(gallery.posts[post].words.at(-1) ?? '')).toBe(cell === 'all')
      })
    })

    test('opens the files the table says, by their own token', async () => {
      for (const post of columns) {
        const cell = cellOf(name, post)
        const refused = cell === '-' ? 404 : 403
        const addressOf = (file: string) => studio.addressOf(gallery.posts[post].mediaId, file, taken(name))
        await ofEach(filesOf(post), async (file) => {
          const shown = cell === 'all' || (!taken(name) && isShared(post))
          const blurred = cell !== '-' && file === 'blurred' && taken(name) !== null
          const may = shown ? file !== 'original' || name === 'author' : blurred
          const status = await statusAt(addressOf(file), person(name))
          expect([post, file, status]).toEqual([post, file, may ? 200 : refused])
        })
        // Without its signature only open content is served, to any client.
        await ofEach(kindsOf(post), async (file) => {
          const open = post === 'open' && file !== 'original' && cell !== '-'
          const bare = await statusAt(addressOf(file).split('?')[0] ?? '', person(name))
          expect([post, file, bare]).toEqual([post, file, open ? 200 : refused])
        })
      }
    })

    test('has addresses that open no more to others, nor without a token', async () => {
      const other = person(name === 'everything' ? 'buyer' : 'everything')
      for (const post of columns) {
        const gone = post === 'draft' || post === 'deleted'
        await ofEach(kindsOf(post), async (file) => {
          const address = studio.addressOf(gallery.posts[post].mediaId, file, taken(name))
          const open = isShared(post) && file !== 'original'
          const refused = gone ? 404 : 403
          expect([post, file, await statusAt(address, null)]).toEqual([post, file, open ? 200 : refused])
          expect([post, file, await statusAt(address, other)]).toEqual([post, file, open ? 200 : refused])
        })
      }
    })

    test('is shown by a page’s head what a crawler is shown, and nothing that is not open', async () => {
      await ofEach(columns, async (post) => {
        const { id, words } = gallery.posts[post]
        const theirs = await studio.get(`/post/${id}`, person(name))
        const asked = heads.get(post) ?? studio.get(`/post/${id}`, null)
        heads.set(post, asked)
        const anybodys = await asked
        expect([post, theirs.statusCode]).toEqual([post, cellOf('visitor', post) === '-' ? 404 : 200])
        expect(theirs.body).toBe(anybodys.body)
        expectNoLeakOfClosed(theirs.body)
        expect([post, theirs.body.includes(words[0] ?? '')]).toEqual([post, post === 'open'])
        const picture = await statusAt(`/api/share/post/${id}.jpg`, person(name))
        expect([post, picture]).toEqual([post, post === 'open' ? 200 : 404])
      })
    })

    test('takes along their own posts alone', async () => {
      const as = person(name)
      if (!as || !taken(name)) {
        const reply = await call(world, as, 'POST', '/user/export')
        return expect(errorOf(reply).code).toBe(as ? 'suspended' : 'unauthenticated')
      }
      const entries = await exportOf(world, as)
      expect(entries.map((it) => it.name)).toContain('posts.json')
      const said = entries.map((it) => `${it.name}\n${it.bytes.toString('latin1')}`).join('\n')
      for (const post of columns) {
        const { words, mediaId } = gallery.posts[post]
        const latin = (it: string) => Buffer.from(it).toString('latin1')
        const found = [...words.map(latin), mediaId].filter((it) => said.includes(it)).length
        if (name !== 'author') expect([post, found]).toEqual([post, 0])
        else expect([post, found > 0]).toEqual([post, true])
      }
    })
  })

  test.skipIf(!available)('the film has a playlist, its beginning and each of its pieces', () => {
    const { files } = gallery.posts.film
    expect(files).toContain('hls/init.mp4')
    expect(files.filter((it) => /\d\.m4s$/.test(it)).length).toBeGreaterThanOrEqual(10)
  })

  describe.skipIf(!available).each([
    ['suspended', 'update users set suspended_at = now() where id = $1'],
    [
      'leaving',
      `insert into deletions (user_id, reason, requested_at, due_at, undo_hash) values ($1, 'other', now(), now(), 'x')`,
    ],
    ['gone', 'update users set deleted_at = now() where id = $1'],
  ])('of an author who is %s', (_, statement) => {
    const run = (sql: string) => world.database.executeSql(sql, [studio.creator.id])
    beforeAll(() => run(statement))
    afterAll(async () => {
      await run('update users set suspended_at = null, deleted_at = null where id = $1')
      await run('delete from deletions where user_id = $1')
      expect((await page('member', 'open')).statusCode).toBe(200)
    })

    test('a crawler finds none of their posts', async () => {
      await ofEach(columns, async (post) => {
        const { id } = gallery.posts[post]
        expect([post, await statusAt(`/post/${id}`, null)]).toEqual([post, 404])
        expect([post, await statusAt(`/api/share/post/${id}.jpg`, null)]).toEqual([post, 404])
      })
    })

    test.each(viewerNames)('%s sees no post, no list and no file any more', async (name) => {
      await ofEach(columns, async (post) => {
        const { mediaId, files } = gallery.posts[post]
        const { statusCode } = await page(name, post)
        // The author's own session is closed with the account.
        const refusals = taken(name) ? (name === 'author' ? [403, 404] : [404]) : [401, 403]
        expect(refusals).toContain(statusCode)
        for (const file of new Set([files[0] ?? '', files.at(-1) ?? '', 'blurred', 'original'])) {
          const address = studio.addressOf(mediaId, file, taken(name))
          expect([post, file, await statusAt(address, person(name))]).toEqual([post, file, 404])
        }
      })
      for (const { path: at } of lists) {
        const reply = await call(world, person(name), 'GET', at(studio.creator.id))
        expect(reply.json<{ posts?: PostView[] }>().posts ?? []).toEqual([])
      }
    })
  })
})
