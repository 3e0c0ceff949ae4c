// The setting for share cards: switched off, links show visitors no post or profile.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaView } from '#contract/posts/media.ts'
import { setPicture } from '#server/store/people/people.ts'
import { call, errorOf } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const SECRET = '切り替える前から書いてあった文'
const NOINDEX = '<meta name="robots" content="noindex" />'

let world: World
let studio: Studio
let dist: string
let postId: string
let mediaId: string
beforeAll(async () => {
  dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
  await writeFile(path.join(dist, 'index.html'), '<html><head><title>とどけ</title></head></html>')
  await writeFile(path.join(dist, 'pages.json'), '["/", "/about", "/post/$id", "/profile/$id"]')
  world = await openWorld({ settings: { dist }, worker: true })
  studio = await openStudio(world)
  const [avatar, avatarId] = await studio.image(await jpeg(), 'face.jpg')
  await studio.processedMedia(await studio.post([['type', '1'], avatar], false))
  await world.database.executeSql('delete from post_media where media_id = $1', [avatarId])
  await setPicture(world.deps.db, studio.creator.id, 'avatar', avatarId)
  const [field, id] = await studio.image(await jpeg(), 'a.jpg')
  mediaId = id
  postId = await studio.post([['type', '1'], ['content', SECRET], field])
  await studio.processedMedia(postId)
}, 60_000)
afterAll(async () => {
  await world.close()
  await rm(dist, { recursive: true })
})

const setShowsShareCard = (on: boolean) =>
  call(world, studio.creator, 'PATCH', '/settings/privacy', { shows_share_card: on })
const visit = (at: string) => studio.get(at, null)
const paths = () => [`/post/${postId}`, `/profile/${studio.creator.id}`]
const pictures = () => [`/api/share/post/${postId}.jpg`, `/api/share/profile/${studio.creator.id}.jpg`]
const unsignedFile = () => `/api/media/${mediaId}/w480`
const sourceFor = async (as = studio.fan) => {
  const { access } = await studio.view(postId, as)
  const [image] = access.is === 'full' ? access.media : ([] as MediaView[])
  return image?.kind === 'image' ? (image.sources[0]?.src ?? '') : ''
}

test('on by default: the card shows the post, the sitemap lists it, and its picture has an unsigned URL', async () => {
  expect((await call(world, studio.fan, 'GET', '/settings/privacy')).json().shows_share_card).toBe(true)
  for (const at of paths()) expect((await visit(at)).body).not.toContain(NOINDEX)
  expect((await visit(`/post/${postId}`)).body).toContain(SECRET)
  for (const at of pictures()) expect([at, (await visit(at)).statusCode]).toEqual([at, 200])
  expect((await visit('/sitemap/posts-1.xml')).body).toContain(postId)
  expect((await visit(unsignedFile())).headers['cache-control']).toContain('public')
  expect(await sourceFor()).toMatch(/^[^?]+\/w240$/)
})

test('switched off: general card, noindex, no sitemap entry, no card picture, and signed URLs for members only', async () => {
  const before = await visit('/about')
  expect((await setShowsShareCard(false)).json().shows_share_card).toBe(false)
  for (const at of paths()) {
    const page = await visit(at)
    expect([at, page.statusCode]).toEqual([at, 200])
    expect(page.body).not.toContain(SECRET)
    expect(page.body.split('\n').filter((line) => !line.includes(NOINDEX))).toEqual(before.body.split('\n'))
    expect(page.body).toContain(NOINDEX)
  }
  for (const at of pictures()) expect([at, (await visit(at)).statusCode]).toEqual([at, 404])
  expect((await visit('/sitemap.xml')).body).not.toContain('posts-1')
  for (const as of [null, studio.fan])
    expect(errorOf(await studio.get(unsignedFile(), as)).code).toBe('forbidden')
  for (const as of [studio.fan, studio.creator]) {
    const source = await sourceFor(as)
    expect(source).toMatch(/\?exp=\d+&sig=/)
    const file = await studio.get(source, as)
    expect([file.statusCode, file.headers['cache-control'], file.headers['vary']]).toEqual([
      200,
      'private, max-age=300',
      'Authorization, Cookie',
    ])
    expect((await studio.get(source, null)).statusCode).toBe(403)
  }
})

test('switched on again: card, sitemap and unsigned URLs are back', async () => {
  await setShowsShareCard(true)
  expect((await visit(`/post/${postId}`)).body).toContain(SECRET)
  expect((await visit('/sitemap/posts-1.xml')).body).toContain(postId)
  expect((await visit(unsignedFile())).statusCode).toBe(200)
})
