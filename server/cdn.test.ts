// Which replies a CDN may store, and that it never has a person’s own.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_FILE_PATH } from '#contract/accounts/export.ts'
import { newId } from '#contract/ids.ts'
import { addPurchase } from './store/posts/posts.ts'
import { sharedLifetime } from './testing/clients/shared-cache.ts'
import { sharedRoutes } from './testing/clients/shared-routes.ts'
import { jobsDone } from './testing/jobs.ts'
import { open, placeMedia, priced } from './testing/media/placed.ts'
import { exportsIn } from './testing/people/exported.ts'
import type { Member, Reply } from './testing/people/members.ts'
import { openStudio, type Studio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { openWorld, type World } from './testing/world.ts'

let world: World
let studio: Studio
let admin: Member
const routes = new Set<string>()

function collectRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => void routes.add(`${[method].flat()[0]} ${url}`))
}

/** A built app with one file of each kind. */
async function builtApp(): Promise<string> {
  const dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
  const files = ['index.html', 'sw.js', 'manifest.webmanifest', 'heic-sandbox.html']
  for (const folder of ['assets', 'icons', 'screenshots']) {
    await mkdir(path.join(dist, folder))
    files.push(`${folder}/a-1.js`)
  }
  for (const it of files) await writeFile(path.join(dist, it), '<html><head></head></html>')
  return dist
}

beforeAll(async () => {
  const dist = await builtApp()
  subscribe('fastify.initialization', collectRoutes)
  world = await openWorld({ worker: true, settings: { dist, metricsToken: 'x'.repeat(32) } })
  unsubscribe('fastify.initialization', collectRoutes)
  studio = await openStudio(world)
  admin = (await openStudio(world)).creator
  await world.database.executeSql(`update users set role = 'admin' where id = $1`, [admin.id])
  return () => rm(dist, { recursive: true })
})
afterAll(() => world.close())

const controlOf = (reply: Reply) => reply.headers['cache-control']?.toString() ?? ''
const addressOf = (url: string) => url.replace(/:[a-z_]+/gi, newId()).replace('*', newId())

test('of all routes, only the listed ones have replies that a shared cache may use', async () => {
  const others: string[] = []
  const seen = new Set<string>()
  for (const route of routes) {
    const [method, url = ''] = route.split(' ')
    if (method !== 'GET' || url.startsWith('/api/docs') || url === '/api/openapi.json') continue
    for (const as of [null, studio.fan, admin]) {
      const reply = await world.app.inject({ method, url: addressOf(url), headers: { ...as?.auth } })
      const control = controlOf(reply)
      seen.add(route)
      const isShared = control === '' || (sharedLifetime(control) ?? 0) > 0
      if (isShared && !(route in sharedRoutes)) others.push(`${route}: ${reply.statusCode} ${control}`)
    }
  }
  expect(others).toEqual([])
  expect(Object.keys(sharedRoutes).filter((it) => !seen.has(it))).toEqual([])
})

describe('a shared cache', () => {
  const files = ['play.mp4', 'poster.webp', 'hls/main.m3u8', 'hls/1.m4s', 'blurred.webp']
  const video = { hls: true, files }

  test.each([
    ['play', 60],
    ['poster', 60],
    ['hls/1.m4s', 60],
    ['hls/main.m3u8', 0],
  ])('may use %s of an open post for %s s', async (name, seconds) => {
    const { id } = await placeMedia(world, studio, open, video)
    for (const as of [null, studio.fan, studio.creator]) {
      const reply = await studio.file(id, name, as)
      expect([reply.statusCode, sharedLifetime(controlOf(reply))]).toEqual([200, seconds * 1000])
    }
  })

  test.each(['play', 'poster', 'hls/1.m4s', 'hls/main.m3u8', 'blurred', 'original'])(
    'never has %s of a priced post',
    async (name) => {
      const { id, postId } = await placeMedia(world, studio, priced, video)
      await addPurchase(world.deps.db, postId, studio.fan.id, 500, world.clock.now)
      const readers = name === 'original' ? [studio.creator] : [studio.fan, studio.creator]
      for (const as of readers) {
        const reply = await studio.file(id, name, as)
        expect([reply.statusCode, sharedLifetime(controlOf(reply))]).toEqual([200, undefined])
        expect(reply.headers['vary']).toContain('Cookie')
      }
      const refused = await studio.file(id, name, null)
      expect([refused.statusCode, controlOf(refused)]).toEqual([403, 'no-store'])
    },
  )

  test('never has a file of a draft, or an export', async () => {
    const { id } = await placeMedia(world, studio, open, { ...video, released: false })
    const draft = await studio.file(id, 'play', studio.creator)
    expect([draft.statusCode, controlOf(draft)]).toEqual([200, 'private, no-cache'])
    await exportsIn(() => world).ask(studio.creator)
    await jobsDone(world, 'export.make')
    const zip = await studio.get(`/api${EXPORT_FILE_PATH}`, studio.creator)
    expect([zip.statusCode, controlOf(zip)]).toEqual([200, 'private, no-store'])
  })

  test('may use the picture of a shared link for a minute', async () => {
    const [field] = await studio.image(await jpeg(), 'a.jpg')
    const post = await studio.post([...open, field])
    await studio.processedMedia(post)
    const reply = await studio.get(`/api/share/post/${post}.jpg`, null)
    expect([reply.statusCode, sharedLifetime(controlOf(reply))]).toEqual([200, 60_000])
  })

  test.each([
    ['/assets/a-1.js', 31_536_000],
    ['/icons/a-1.js', 3600],
    ['/screenshots/a-1.js', 3600],
    ['/heic-sandbox.html', 3600],
    ['/robots.txt', 3600],
    ['/sitemap.xml', 3600],
    ['/', 0],
    ['/index.html', 0],
    ['/sw.js', 0],
    ['/manifest.webmanifest', 0],
  ])('may use %s for %s s', async (address, seconds) => {
    const reply = await studio.get(address, null)
    expect([reply.statusCode, sharedLifetime(controlOf(reply))]).toEqual([200, seconds * 1000])
  })

  test('never has a page of the administration', async () => {
    const reply = await studio.get('/administration', admin)
    expect([reply.statusCode, controlOf(reply)]).toEqual([200, 'private, no-store'])
  })
})
