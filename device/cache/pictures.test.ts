// Cached pictures: which are stored, for whom, and when they are evicted.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { dropResponse, dropResponses, dropExpired, saveResponse } from './responses.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { pictureName, picturesIn } from './picture-names.ts'
import {
  dropPicture,
  listPictures,
  MAX_PICTURE,
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  readPicture,
  savePicture,
  wantsPicture,
} from './pictures.ts'
import { purgePerson, sweepSignedOut } from '#device/session/purge.ts'
import { clearSession, saveSession } from '#device/session/session.ts'
import { newUser } from '#device/testing/user.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const DAY = 24 * 3600 * 1000
const aoi = newUser('葵')
const ren = newUser('蓮')
const media = newId()
const wide = `${media}/wide`

/** An answer that names pictures, as the server addresses them. */
const answer = (key: string, ...paths: string[]) => ({
  ownerId: aoi.id,
  key,
  value: { access: { media: [{ sources: paths.map((src) => ({ src, width: 480 })) }] } },
  at: NOW,
})
/** A post that a plan opens for one second more. */
const closing = (...paths: string[]) => {
  const { value, ...rest } = answer('post', ...paths)
  const access = { ...value.access, is: 'full', until: new Date(NOW + 1000).toISOString() }
  return { ...rest, value: { id: newId(), type: 2, author: { id: ren.id }, access } }
}
const at = (file: string, mediaId = media) => `/api/media/${mediaId}/${file}`
const picture = (over: Partial<Parameters<typeof savePicture>[0]> = {}) => ({
  ownerId: aoi.id,
  ref: wide,
  width: 960,
  type: 'image/webp',
  bytes: new Uint8Array([1, 2, 3]).buffer,
  at: NOW,
  ...over,
})
const cachedBytes = async (ref = wide, now = NOW) => (await readPicture(aoi.id, ref, now))?.bytes.byteLength
const names = async (): Promise<string[]> => [...(await listPictures(aoi.id))]

beforeEach(async () => {
  await saveSession({ token: 'a', user: aoi })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

test('all widths of a picture have one name, whatever their signature; originals and videos have none', () => {
  expect(pictureName(at('w480'))).toEqual({ ref: wide, width: 480 })
  expect(pictureName(at('w1600'))).toEqual({ ref: wide, width: 1600 })
  expect(pictureName(at('blurred'))).toEqual({ ref: `${media}/blurred`, width: 0 })
  expect(pictureName(at('poster'))).toEqual({ ref: `${media}/poster`, width: 0 })
  for (const other of ['original', 'play', 'hls/main.m3u8', 'w480/x', '../w480'])
    expect(pictureName(at(other))).toBeUndefined()
})

test('a reply names the pictures of its fields, and not those that its texts mention', () => {
  const [other, third, spoken] = [newId(), newId(), newId()]
  const reply = {
    author: { avatar_url: at('w480', other) },
    cover: { sources: [{ src: at('w960', other) }] },
    access: {
      blurred_url: `${at('blurred', third)}?exp=1&sig=x`,
      media: [
        { src: at('play'), poster: at('poster') },
        {
          original_url: at('original'),
          sources: [{ src: at('w480') }, { src: `${at('w960')}?exp=1&sig=x` }],
        },
      ],
      content: `"src":"${at('w480', spoken)}" ${at('w480', spoken)}`,
    },
    body: at('w480', spoken),
  }
  expect(picturesIn(JSON.stringify(reply)).toSorted()).toEqual(
    [`${other}/wide`, `${third}/blurred`, `${media}/poster`, wide].toSorted(),
  )
})

test('a picture is read for any width while a cached response names it', async () => {
  await savePicture(picture())
  expect(await cachedBytes()).toBeUndefined()
  await saveResponse(answer('post', `${at('w480')}?exp=2&sig=new`))
  expect(await readPicture(aoi.id, wide, NOW)).toMatchObject({ type: 'image/webp', width: 960 })
  expect(await readPicture(ren.id, wide, NOW)).toBeUndefined()
})

test('the narrowest seen width stays stored', async () => {
  await saveResponse(answer('post', at('w480')))
  await savePicture(picture({ width: 960 }))
  await savePicture(picture({ width: 480, bytes: new ArrayBuffer(1) }))
  await savePicture(picture({ width: 1600, bytes: new ArrayBuffer(9) }))
  await savePicture(picture({ width: 480, bytes: new ArrayBuffer(7) }))
  expect(await cachedBytes()).toBe(1)
})

test('a stored picture is requested again only when narrower, or after a day to record that it was seen', async () => {
  const name = { ref: wide, width: 960 }
  expect(await wantsPicture(aoi.id, name, NOW)).toBe(true)
  await savePicture(picture())
  expect(await wantsPicture(aoi.id, name, NOW + DAY)).toBe(false)
  expect(await wantsPicture(aoi.id, { ref: wide, width: 480 }, NOW)).toBe(true)
  expect(await wantsPicture(aoi.id, name, NOW + DAY + 1)).toBe(true)
})

test('a picture is removed with the last response that names it', async () => {
  await saveResponse(answer('feed', at('w480')))
  await saveResponse(answer('post', at('w480'), at('w480', newId())))
  await savePicture(picture())
  await dropResponse(aoi.id, 'feed')
  expect(await cachedBytes()).toBe(3)
  await dropResponse(aoi.id, 'post')
  expect(await names()).toEqual([])
})

test('a post that is locked again loses its pictures, but not the blurred one', async () => {
  const blurred = `${media}/blurred`
  await saveResponse(answer('post', at('w480'), at('blurred')))
  await savePicture(picture())
  await savePicture(picture({ ref: blurred, width: 0 }))
  await saveResponse({ ...answer('post'), value: { access: { blurred_url: at('blurred') } } })
  expect(await names()).toEqual([blurred])
})

test('pictures are removed when the access to their post ends', async () => {
  await saveResponse(closing(at('w480')))
  await savePicture(picture())
  expect(await cachedBytes(wide, NOW + 999)).toBe(3)
  expect(await cachedBytes(wide, NOW + 1000)).toBeUndefined()
  expect(await names()).toEqual([])
})

test('a trimmed list retains the pictures of its remaining posts', async () => {
  const stays = newId()
  const { value } = closing(at('w480'))
  const open = { ...answer('', at('w480', stays)).value, type: 1, author: { avatar_url: at('w480', stays) } }
  await saveResponse({ ...answer('feed'), value: { posts: [value, open] } })
  await savePicture(picture())
  await savePicture(picture({ ref: `${stays}/wide` }))
  expect(await cachedBytes(wide, NOW + 1000)).toBeUndefined()
  expect(await names()).toEqual([`${stays}/wide`])
})

test('expired responses are removed when the app opens, before any page reads them', async () => {
  await saveResponse(closing(at('w480')))
  await savePicture(picture())
  await dropExpired(NOW + 1000)
  expect(await names()).toEqual([])
})

test('a block removes all cached pictures, and a refused picture is removed alone', async () => {
  const other = newId()
  await saveResponse(answer('post', at('w480'), at('w480', other)))
  await savePicture(picture())
  await savePicture(picture({ ref: `${other}/wide` }))
  await dropPicture(aoi.id, wide)
  expect(await names()).toEqual([`${other}/wide`])
  await dropResponses(aoi.id)
  expect(await names()).toEqual([])
})

test.each([
  ['signing out', () => purgePerson(aoi)],
  ['a session ended from afar', () => clearSession('a')],
  ['another person’s sign-in', () => saveSession({ token: 'r', user: ren })],
])('%s removes the pictures, and none is stored after it', async (_what, end) => {
  await saveResponse(answer('post', at('w480')))
  await savePicture(picture())
  await end()
  expect(await savePicture(picture())).toBe(false)
  expect(await names()).toEqual([])
})

test('pictures written by an older page after the sign-out are removed at the next start', async () => {
  await purgePerson(aoi)
  await transact(['pictures'], 'readwrite', (tx) => tx.objectStore('pictures').put({ ...picture(), size: 3 }))
  await sweepSignedOut()
  expect(await names()).toEqual([])
})

test('eviction removes unreferenced pictures first, then the least recently seen', async () => {
  const refs = Array.from({ length: MAX_PICTURES + 1 }, () => newId())
  await saveResponse(answer('feed', ...refs.map((it) => at('w480', it))))
  await savePicture(picture({ at: NOW + 1000 }))
  for (const [i, it] of refs.slice(0, -1).entries())
    await savePicture(picture({ ref: `${it}/wide`, at: NOW + 100_000 + i }))
  expect(await names()).not.toContain(wide)
  expect(await names()).toHaveLength(MAX_PICTURES)
  await savePicture(picture({ ref: `${refs.at(-1)}/wide`, at: NOW + 200_000 }))
  const left = await names()
  expect(left).toHaveLength(MAX_PICTURES * 0.9)
  expect(left).toContain(`${refs.at(-1)}/wide`)
  expect(left).not.toContain(`${refs[0]}/wide`)
})

test('eviction ends below nine tenths of the bytes, also where few pictures are stored', async () => {
  const SIZE = 100_000
  const refs = Array.from({ length: MAX_PICTURES }, () => newId())
  await saveResponse(answer('feed', ...refs.map((it) => at('w480', it))))
  await transact(['pictures'], 'readwrite', async (tx) => {
    const store = tx.objectStore('pictures')
    // No response names this one: without it there are not too many.
    await store.put({ ...picture({ at: NOW - DAY }), size: SIZE })
    for (const [i, it] of refs.entries())
      await store.put({ ...picture({ ref: `${it}/wide`, at: NOW + i }), size: SIZE })
  })
  await savePicture(picture({ ref: `${refs[0]}/wide`, at: NOW + MAX_PICTURES }))
  const left = await names()
  expect(left).toHaveLength(Math.floor((MAX_PICTURE_BYTES * 0.9) / SIZE))
  expect(left).toContain(`${refs[0]}/wide`)
  expect(left).not.toContain(`${refs[1]}/wide`)
})

test('large pictures make room for each other at any time, not only after the start', async () => {
  const most = Math.floor(MAX_PICTURE_BYTES / MAX_PICTURE)
  const refs = Array.from({ length: most + 2 }, () => newId())
  await saveResponse(answer('feed', ...refs.map((it) => at('w480', it))))
  for (const [i, it] of refs.entries())
    await savePicture(picture({ ref: `${it}/wide`, at: NOW + i, bytes: new ArrayBuffer(MAX_PICTURE) }))
  const left = await names()
  expect(left.length).toBeLessThanOrEqual(most)
  expect(left).toContain(`${refs.at(-1)}/wide`)
})

test('pictures of other people are not listed', async () => {
  const others = ['0', 'f'].map((digit) => digit.repeat(8) + aoi.id.slice(8))
  await savePicture(picture())
  await transact(['pictures'], 'readwrite', async (tx) => {
    for (const ownerId of others)
      await tx.objectStore('pictures').put({ ...picture({ ownerId, ref: `${newId()}/wide` }), size: 3 })
  })
  expect(await names()).toEqual([wide])
})

test('a failure other than missing room is thrown', async () => {
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new TypeError('bug')
  })
  await expect(savePicture(picture())).rejects.toThrow('bug')
})

test('a very large or empty picture is not stored', async () => {
  expect(await savePicture(picture({ bytes: new ArrayBuffer(MAX_PICTURE + 1) }))).toBe(false)
  expect(await savePicture(picture({ bytes: new ArrayBuffer(0) }))).toBe(false)
  expect(await savePicture(picture({ bytes: new ArrayBuffer(MAX_PICTURE) }))).toBe(true)
})

/** Writes into this store find no room, `times` times. */
function noRoom(store: string, times: number): void {
  const { put } = IDBObjectStore.prototype
  let left = times
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === store && left-- > 0) throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, args as [unknown])
  })
}
const answers = () => transact(['answers'], 'readonly', (tx) => tx.objectStore('answers').count())

test('without room nothing is evicted for a picture', async () => {
  await saveResponse(answer('post', at('w480')))
  noRoom('pictures', Number.POSITIVE_INFINITY)
  expect(await savePicture(picture())).toBe(false)
  expect(await answers()).toBe(1)
})

test('without room the oldest pictures are evicted for a response', async () => {
  const refs = [newId(), newId(), newId(), newId()]
  await saveResponse(answer('feed', ...refs.map((it) => at('w480', it))))
  for (const [i, it] of refs.entries()) await savePicture(picture({ ref: `${it}/wide`, at: NOW + i }))
  noRoom('answers', 1)
  expect(await saveResponse(answer('post'))).toBe(true)
  expect((await names()).toSorted()).toEqual([`${refs[2]}/wide`, `${refs[3]}/wide`].toSorted())
  expect(await answers()).toBe(2)
})

test('pictures and then responses are evicted for what the person makes, the oldest first', async () => {
  const refs = [newId(), newId()]
  await saveResponse(answer('feed', ...refs.map((it) => at('w480', it))))
  await saveResponse({ ...answer('post'), at: NOW + 1 })
  for (const it of refs) await savePicture(picture({ ref: `${it}/wide` }))
  noRoom('drafts', 3)
  const draft = emptyDraft(aoi.id, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '下書き' }), NOW)
  expect(await readDraft(draft.id, aoi.id)).toMatchObject({ content: '下書き' })
  expect(await names()).toEqual([])
  expect(await answers()).toBe(1)
})
