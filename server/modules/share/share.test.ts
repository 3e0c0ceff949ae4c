// Share cards of every kind of post and of profiles, page status, and sitemap.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import { setPicture } from '#server/store/people/people.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { addPost, call, type Member, postIdOf, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { publicPages } from './sitemap.ts'

const SECRET = 'だれにも見せない文'
const SHELL = `<!doctype html>
<html lang="ja">
  <head>
    <meta name="description" content="はじめの説明" />
    <title>とどけ</title>
  </head>
  <body><div id="root"></div></body>
</html>`
const pages = [
  '/',
  '/about',
  '/post/$id',
  '/post/upload2',
  '/profile/$id',
  '/profile/edit',
  '/search',
  ...publicPages,
]

let world: World
let studio: Studio
let dist: string
let planId: string
beforeAll(async () => {
  dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
  await mkdir(path.join(dist, 'assets'))
  await writeFile(path.join(dist, 'index.html'), SHELL)
  await writeFile(path.join(dist, 'pages.json'), JSON.stringify(pages))
  world = await openWorld({ settings: { dist, publicUrl: 'https://todoke.example' }, worker: true })
  studio = await openStudio(world)
  planId = newId()
  const createdAt = new Date(world.clock.now)
  await addPlan(world.deps.db, {
    id: planId,
    creatorId: studio.creator.id,
    name: 'plan',
    price: 500,
    createdAt,
  })
}, 60_000)
afterAll(async () => {
  await world.close()
  await rm(dist, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'GET', url, headers })

/** The metadata in a page's head, with decoded entities. */
async function head(url: string) {
  const { statusCode: status, body } = await get(url)
  const readable = (text = '') =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  const meta = Object.fromEntries(
    body.split('<meta ').flatMap((it) => {
      const [, name, content] = /^(?:name|property)="([^"]+)" content="([^"]*)" \/>/.exec(it) ?? []
      return name === undefined ? [] : [[name, readable(content)] as const]
    }),
  )
  const title = readable(/<title>([^<]*)<\/title>/.exec(body)?.[1])
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1]
  return { status, body, title, canonical, meta }
}

const text = (content: string, more: readonly (readonly [string, string])[] = [['type', '1']]) =>
  [['content', content], ...more] as const

async function publish(author: Member, fields: readonly (readonly [string, string])[], released = true) {
  const id = postIdOf(await addPost(world, author, fields, newId()))
  if (released) await call(world, author, 'POST', `/post/release-uploaded/${id}`)
  return id
}

describe('the card of an open post', () => {
  test('shows the author and the beginning of the text, the same to visitors and members', async () => {
    const id = await publish(studio.creator, text('海の朝です。\n波の音を\u202eどうぞ。'))
    const it = await head(`/post/${id}`)
    expect(it).toMatchObject({
      status: 200,
      title: expect.stringMatching(/^会員\d+さんの投稿 \| とどけ$/),
      canonical: `https://todoke.example/post/${id}`,
      meta: {
        description: '海の朝です。 波の音をどうぞ。',
        'og:type': 'article',
        'og:url': `https://todoke.example/post/${id}`,
        'og:image': 'https://todoke.example/icons/share-card.png',
        'twitter:card': 'summary_large_image',
      },
    })
    expect(it.body).toContain('<div id="root"></div>')
    expect((await get(`/post/${id}`, studio.creator.auth)).body).toBe(it.body)
  })

  test('text of a post is escaped in the head', async () => {
    const evil = `"><script>alert(1)</script><meta x='$&$\`'>`
    const id = await publish(studio.creator, text(evil))
    const { body, meta } = await head(`/post/${id}`)
    expect(body).not.toContain('<script>')
    expect(meta['og:description']).toBe(evil)
    expect(body.match(/<\/head>/g)).toHaveLength(1)
  })

  test('cuts the description to the length of previews', async () => {
    const id = await publish(studio.creator, text('👨‍👩‍👧'.repeat(500)))
    const { meta } = await head(`/post/${id}`)
    expect(meta['description']).toBe(`${'👨‍👩‍👧'.repeat(119)}…`)
  })

  test('shows its picture as a JPEG of the stated size', async () => {
    const [field] = await studio.image(await jpeg(), 'a.jpg')
    const id = await studio.post([['type', '1'], field])
    await studio.processedMedia(id)
    const { meta } = await head(`/post/${id}`)
    expect(meta['og:image']).toBe(`https://todoke.example/api/share/post/${id}.jpg`)
    const picture = await get(new URL(defined(meta['og:image'])).pathname)
    const metadata = await sharp(picture.rawPayload).metadata()
    expect([picture.headers['content-type'], metadata.format, metadata.width, metadata.height]).toEqual([
      'image/jpeg',
      'jpeg',
      Number(meta['og:image:width']),
      Number(meta['og:image:height']),
    ])
    expect(picture.headers['cross-origin-resource-policy']).toBe('cross-origin')
  })
})

describe('a post that is not open', () => {
  const closed: Record<string, readonly (readonly [string, string])[]> = {
    'for plan members': [['type', '2']],
    priced: [
      ['type', '3'],
      ['price', '500'],
    ],
    'age-limited': [
      ['type', '1'],
      ['is_age_limited', '1'],
    ],
  }
  test.each(Object.keys(closed))('%s: the general card, without its content', async (name) => {
    const [field] = await studio.image(await jpeg(), 'b.jpg')
    const plan = name === 'for plan members' ? [['plan_id[]', planId] as const] : []
    const [named, imageId] = [field[0], String(field[1])]
    const fields = [['content', SECRET], ...(closed[name] ?? []), ...plan, [named, imageId]] as const
    const id = await publish(studio.creator, fields)
    await studio.processedMedia(id)
    const it = await head(`/post/${id}`)
    const general = await head('/about')
    expect(it.status).toBe(200)
    expect(it.body.replace(/\n[^\n]*name="robots"[^\n]*/, '')).toBe(general.body)
    expect(it.body).not.toContain(SECRET)
    expect((await get(`/api/share/post/${id}.jpg`)).statusCode).toBe(404)
  })

  test('with a title and an introduction: both, and neither its text nor its picture', async () => {
    const open = [
      ['title', '壁紙'],
      ['introduction', '原画を三枚'],
    ] as const
    const [field] = await studio.image(await jpeg(), 'c.jpg')
    const priced = [...open, ...(closed['priced'] ?? []), [field[0], String(field[1])] as const]
    const id = await publish(studio.creator, text(SECRET, priced))
    await studio.processedMedia(id)
    const it = await head(`/post/${id}`)
    expect(it).toMatchObject({
      status: 200,
      title: expect.stringMatching(/^壁紙 \| 会員\d+さん \| とどけ$/),
      canonical: undefined,
      meta: {
        description: '原画を三枚',
        'og:url': `https://todoke.example/post/${id}`,
        'og:image': 'https://todoke.example/icons/share-card.png',
        robots: 'noindex',
      },
    })
    expect(it.body).not.toContain(SECRET)
    expect((await get(`/api/share/post/${id}.jpg`)).statusCode).toBe(404)
    const adult = await publish(
      studio.creator,
      text(SECRET, [...priced.slice(0, -1), ['is_age_limited', '1']]),
    )
    expect((await head(`/post/${adult}`)).title).toBe('とどけ')
    await call(world, studio.creator, 'PATCH', '/settings/privacy', { shows_share_card: false })
    expect((await head(`/post/${id}`)).title).toBe('とどけ')
    await call(world, studio.creator, 'PATCH', '/settings/privacy', { shows_share_card: true })
  })

  test('unreleased, deleted, or of a suspended or leaving member: not found, as an unknown post', async () => {
    const { db } = world.deps
    const none = await head(`/post/${newId()}`)
    expect(none).toMatchObject({ status: 404, title: 'とどけ', canonical: undefined })
    const [suspended, leaving] = [await signUp(world), await signUp(world)]
    const ids = [
      await publish(studio.creator, text(SECRET), false),
      await publish(studio.creator, text(SECRET)),
      await publish(suspended, text(SECRET)),
      await publish(leaving, text(SECRET)),
    ]
    await db.execute(sql`update posts set deleted_at = now() where id = ${ids[1]}`)
    await db.execute(sql`update users set suspended_at = now() where id = ${suspended.id}`)
    await leave(world, leaving)
    for (const id of ids) {
      expect(await head(`/post/${id}`)).toEqual(none)
      expect((await get(`/api/share/post/${id}.jpg`)).statusCode).toBe(404)
    }
    for (const it of [suspended, leaving]) expect(await head(`/profile/${it.id}`)).toEqual(none)
    expect((await get('/sitemap/posts-1.xml')).body).not.toMatch(new RegExp(ids.join('|')))
    expect((await get('/sitemap/profiles-1.xml')).body).not.toMatch(`${suspended.id}|${leaving.id}`)
  })
})

describe('a profile', () => {
  test('shows name, handle, biography and avatar', async () => {
    const { db } = world.deps
    const { creator } = studio
    const [field, mediaId] = await studio.image(await jpeg(), 'face.jpg')
    await studio.processedMedia(await studio.post([['type', '1'], field]))
    await setPicture(db, creator.id, 'avatar', mediaId)
    await db.execute(sql`update users set handle = 'umi_no_hito', bio = '海を描く' where id = ${creator.id}`)
    const { meta, status } = await head(`/profile/${creator.id}`)
    expect(status).toBe(200)
    expect(meta).toMatchObject({
      'og:type': 'profile',
      'og:title': expect.stringMatching(/さん（@umi_no_hito）$/),
      'og:description': '海を描く',
      'og:image': `https://todoke.example/api/share/profile/${creator.id}.jpg`,
      'twitter:card': 'summary',
    })
    expect((await get(`/api/share/profile/${creator.id}.jpg`)).headers['content-type']).toBe('image/jpeg')
  })
})

describe('paths', () => {
  test('existing pages return 200, others 404 with the same shell', async () => {
    for (const it of [
      '/',
      '/index.html',
      '/about',
      '/about/',
      '/post/upload2',
      '/profile/edit',
      '/search?q=a',
    ])
      expect([it, (await head(it)).status]).toEqual([it, 200])
    for (const it of ['/nothing', '/post', '/post/nothing', '/profile/1', '/about/more', '/post/a/b'])
      expect([it, (await head(it)).status]).toEqual([it, 404])
    expect((await head('/nothing')).body).toContain('<div id="root"></div>')
  })

  test("a path without a page has the status message 'Page not found'", async () => {
    expect((await get('/nothing')).statusMessage).toBe('Page not found')
    expect((await get('/about')).statusMessage).toBe('OK')
  })

  test('an unchanged page is answered with 304 and no body', async () => {
    const first = await get('/about')
    const again = await get('/about', { 'if-none-match': String(first.headers['etag']) })
    expect([first.headers['cache-control'], again.statusCode, again.body]).toEqual(['no-cache', 304, ''])
  })

  test('robots.txt names the sitemap and disallows the API except share pictures', async () => {
    const { body } = await get('/robots.txt')
    expect(body).toContain('Disallow: /api/\n')
    expect(body).toContain('Allow: /api/share/\n')
    expect(body).toContain('Sitemap: https://todoke.example/sitemap.xml\n')
  })

  test('the sitemap lists public pages, open posts and their authors', async () => {
    const id = await publish(studio.creator, text('地図にのる'))
    const index = (await get('/sitemap.xml')).body
    const files = [...index.matchAll(/<loc>https:\/\/todoke\.example([^<]+)<\/loc>/g)].map(
      (it) => it[1] ?? '',
    )
    expect(files).toEqual(['/sitemap/pages.xml', '/sitemap/posts-1.xml', '/sitemap/profiles-1.xml'])
    const bodies = await Promise.all(files.map(async (it) => (await get(it)).body))
    expect(bodies[0]).toContain('<loc>https://todoke.example/about</loc>')
    expect(bodies[1]).toMatch(
      new RegExp(`<loc>https://todoke.example/post/${id}</loc><lastmod>\\d{4}-[^<]+Z</lastmod>`),
    )
    expect(bodies[2]).toContain(`<loc>https://todoke.example/profile/${studio.creator.id}</loc>`)
    expect(bodies[2]).not.toContain(studio.fan.id)
    expect((await get('/sitemap/posts-2.xml')).statusCode).toBe(404)
  })
})

test('an unknown address with a dot is a page for a person, and an error of the API for a script', async () => {
  for (const url of ['/help/plan.', '/foo.bar', '/profile/some.name', '/assets/gone.js']) {
    const page = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([url, page.statusCode, page.headers['content-type']]).toEqual([
      url,
      404,
      'text/html; charset=utf-8',
    ])
    expect(page.statusMessage).toBe('Page not found')
    const file = await get(url, { accept: '*/*' })
    expect([url, file.statusCode, file.json()]).toEqual([url, 404, { error: { code: 'not_found' } }])
  }
})
