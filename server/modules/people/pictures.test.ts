// Avatar and cover: shown when converted; then the files of the former picture are removed.
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ worker: true })
})
afterAll(() => world.close())

async function put(by: Member, role: string, bytes: Buffer, name = 'a.jpg'): Promise<Reply> {
  const form = new FormData()
  form.append('picture', new Blob([new Uint8Array(bytes)]), name)
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return call(world, by, 'PUT', `/profile/pictures/${role}`, body, headers)
}

const states = async (by: Member) => (await call(world, by, 'GET', '/profile/pictures')).json()

/** Waits for the conversion of a picture. @returns its URL */
async function converted(by: Member, role: string): Promise<string> {
  await expect.poll(async () => (await states(by))[role].next !== 'making').toBeTruthy()
  return (await states(by))[role].url
}

const idOf = (url: string) => url.split('/').at(-2) ?? ''
const getFile = (url: string) => world.app.inject({ method: 'GET', url })

test('a new picture replaces the old one when it is converted; then the old files are removed', async () => {
  const me = await signUp(world)
  expect(await states(me)).toEqual({
    avatar: { url: null, next: 'none' },
    cover: { url: null, next: 'none' },
  })
  expect((await put(me, 'avatar', await jpeg(800, 800))).json().avatar).toEqual({ url: null, next: 'making' })
  const first = await converted(me, 'avatar')
  expect((await getFile(first)).statusCode).toBe(200)
  const reply = await put(me, 'avatar', await jpeg(400, 400))
  expect(reply.json().avatar).toEqual({ url: first, next: 'making' })
  const second = await converted(me, 'avatar')
  expect(second).not.toBe(first)
  const other = await signUp(world)
  const profile = (await call(world, other, 'GET', `/users/${me.id}`)).json()
  expect(profile.avatar_url).toBe(second)
  const remaining = () =>
    [world.deps.files.uploadPath(idOf(first)), world.deps.files.mediaFolder(idOf(first))].filter((it) =>
      existsSync(it),
    )
  await expect.poll(() => remaining().length).toBe(0)
  expect((await getFile(first)).statusCode).toBe(404)
  // The job removes the row after the files.
  const rows = async () =>
    (await world.database.executeSql('select id from uploads where owner_id = $1', [me.id])).rows
  await expect.poll(rows).toEqual([{ id: idOf(second) }])
})

test('a cover has the widths for which it is large enough, and a placeholder', async () => {
  const me = await signUp(world)
  const profile = async () => (await call(world, me, 'GET', `/users/${me.id}`)).json()
  expect((await profile()).cover).toBeNull()
  await put(me, 'cover', await jpeg(1200, 400))
  const url = await converted(me, 'cover')
  const at = (width: string) => url.replace(/w\d+$/, width)
  const { cover } = await profile()
  expect(cover.sources).toEqual([
    { src: at('w480'), width: 480 },
    { src: at('w960'), width: 960 },
    { src: at('w1600'), width: 1200 },
  ])
  expect(Buffer.from(cover.placeholder, 'base64').length).toBeGreaterThan(4)
})

test('the files of a removed cover are removed', async () => {
  const me = await signUp(world)
  await put(me, 'cover', await jpeg(1200, 400))
  const url = await converted(me, 'cover')
  const reply = await call(world, me, 'DELETE', '/profile/pictures/cover')
  expect(reply.json().cover).toEqual({ url: null, next: 'none' })
  await expect.poll(() => !existsSync(world.deps.files.uploadPath(idOf(url)))).toBeTruthy()
  expect((await getFile(url)).statusCode).toBe(404)
})

test('a picture that cannot be converted is reported as failed, and the old one stays', async () => {
  const me = await signUp(world)
  await put(me, 'avatar', await jpeg(300, 300))
  const url = await converted(me, 'avatar')
  const broken = (await jpeg(300, 300)).subarray(0, 200)
  await put(me, 'avatar', broken)
  expect(await converted(me, 'avatar')).toBe(url)
  expect((await states(me)).avatar).toEqual({ url, next: 'failed' })
})

test('a file that is no picture, an empty file and an unknown role are refused', async () => {
  const me = await signUp(world)
  expect(errorOf(await put(me, 'avatar', Buffer.from('これは文章です'), 'a.jpg'))).toEqual({
    code: 'unsupported_media',
    fields: { picture: 'unsupported' },
  })
  expect(errorOf(await put(me, 'avatar', Buffer.alloc(0)))).toEqual({
    code: 'invalid',
    fields: { picture: 'required' },
  })
  expect(errorOf(await put(me, 'banner', await jpeg())).code).toBe('invalid')
})
