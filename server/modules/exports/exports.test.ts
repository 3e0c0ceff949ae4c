// A person’s own data as a zip: what is in it, who may fetch it, how often, and how long it stands.
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EXPORT_EVERY_MS, EXPORT_FILE_PATH, EXPORT_MS } from '#contract/export.ts'
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { newestExport } from '#server/store/exports.ts'
import { addPurchase } from '#server/store/posts.ts'
import { leave, prove, secretOf } from '#server/testing/leaving.ts'
import { lettersTo } from '#server/testing/letters.ts'
import {
  addPost,
  call,
  errorOf,
  type FormValue,
  type Member,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/members.ts'
import { fixture, phonePhoto } from '#server/testing/pictures.ts'
import { unzip } from '#server/testing/unzip.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { makeExport, reapExports } from './make.ts'

let world: World
let person: Member
let other: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  person = await signUp(world)
  other = await signUp(world)
})

const ask = async (as: Member, where = world) => {
  await prove(where, as)
  return call(where, as, 'POST', '/user/export')
}
const state = async (as: Member) => (await call(world, as, 'GET', '/user/export')).json()
const idOf = async (as: Member, where = world) => (await newestExport(where.deps.db, as.id))?.id ?? ''
const make = async (as: Member) => makeExport(world.deps, await idOf(as))
const secretFor = async (as: Member) => secretOf(await lettersTo(world, as.email), 'export_ready')
const fetchZip = (as: Member | null, query = '', headers: Record<string, string> = {}) =>
  call(world, as, 'GET', EXPORT_FILE_PATH + query, undefined, headers)

async function exported(as: Member): Promise<string> {
  await ask(as)
  await make(as)
  return `?token=${await secretFor(as)}`
}

/** What a person does with others and their own post. */
async function befriend(post: string): Promise<void> {
  const words = { name: 'ほか', handle: '', bio: 'ひとのことば', links: [] }
  await call(world, other, 'PUT', '/profile', words)
  await call(world, person, 'POST', `/post/release-uploaded/${post}`)
  await call(world, person, 'PUT', `/follows/${other.id}`)
  await call(world, person, 'PUT', `/mutes/${other.id}`)
  await call(world, person, 'PUT', `/posts/${post}/like`)
  await call(world, person, 'POST', `/posts/${post}/comments`, { id: newId(), content: '自分で書きました' })
  const report = { reason: 'spam', detail: '宣伝ばかりです' }
  await call(world, person, 'PUT', `/reports/person/${other.id}`, report)
}

describe('the zip', () => {
  test('holds the person’s data, and their pictures and videos as they were sent', async () => {
    const [photo, video] = [await phonePhoto(), fixture('h264-gps.mov')]
    const image = await upload(world, person, photo, '朝の海.jpg')
    const film = await upload(world, person, video, 'うみ.mov')
    const post = async (fields: readonly (readonly [string, FormValue])[]) =>
      postIdOf(await addPost(world, person, fields, newId()))
    const one = await post([
      ['content', '写真です'],
      ['type', '3'],
      ['price', '500'],
      ['has_image_file[]', image],
      ['image_alt[]', '灯台のある海'],
    ])
    await post([
      ['type', '1'],
      ['has_video_file', film],
      ['image_url', { name: 't.jpg', bytes: photo }],
    ])
    await addPurchase(world.deps.db, one, other.id, 500, world.clock.now)
    await befriend(one)
    const zip = (await fetchZip(person, await exported(person))).rawPayload
    const entries = await unzip(zip)
    const names = entries.map((it) => it.name)
    expect(names.slice(0, 9)).toEqual([
      'README.txt',
      'profile.json',
      'posts.json',
      'settings.json',
      'sessions.json',
      'purchases.json',
      'people.json',
      'reactions.json',
      'identity.json',
    ])
    const read = (name: string) => entries.find((it) => it.name === name)
    const json = (name: string) => JSON.parse(read(name)?.bytes.toString() ?? '')
    expect(read('README.txt')?.bytes.toString()).toContain('あなたのデータ')
    expect(json('people.json')).toMatchObject({
      following: [{ id: other.id }],
      muted: [{ id: other.id }],
      blocked: [],
    })
    expect(json('reactions.json')).toMatchObject({
      post_likes: [{ post_id: one }],
      comments: [{ post_id: one, content: '自分で書きました' }],
      reports: [
        { kind: 'person', target_id: other.id, reason: 'spam', detail: '宣伝ばかりです', decided: false },
      ],
    })
    expect(read('reactions.json')?.bytes.toString()).not.toContain('ひとのことば')
    expect(json('profile.json')).toMatchObject({
      id: person.id,
      email: person.email,
      birth_date: '1990-04-01',
    })
    const posts = json('posts.json') as {
      content: string
      price: number
      files: { file: string; alt: string }[]
    }[]
    const shown = posts.find((it) => it.content === '写真です')
    expect(shown).toMatchObject({ price: 500, files: [{ alt: '灯台のある海' }] })
    const [file] = shown?.files ?? []
    expect(file?.file).toMatch(new RegExp(`^media/\\d{4}-\\d\\d-\\d\\d_${one}/1_朝の海\\.jpg$`))
    expect(read(file?.file ?? '')).toMatchObject({ stored: true })
    expect(read(file?.file ?? '')?.bytes.equals(photo)).toBe(true)
    expect(entries.find((it) => it.name.endsWith('_うみ.mov'))?.bytes.equals(video)).toBe(true)
    expect(json('purchases.json').sold).toEqual([{ post_id: one, price: 500, at: expect.any(String) }])
    expect(json('sessions.json').sessions).toHaveLength(1)
  })

  test('holds no secret, and nothing of others', async () => {
    const entries = await unzip((await fetchZip(person, await exported(person))).rawPayload)
    const all = entries.map((it) => it.bytes.toString()).join('\n')
    const { rows } = await world.database.executeSql(
      'select password_hash, token_hash from users join sessions on user_id = users.id where user_id = $1',
      [person.id],
    )
    const { password_hash, token_hash } = rows[0] as { password_hash: string; token_hash: string }
    for (const secret of [password_hash, token_hash, person.token, other.id, other.email])
      expect(all).not.toContain(secret)
  })

  test.each([
    ['../../../etc/passwd', '1__.._.._etc_passwd'],
    ['C:\\Windows\\system.ini', '1_C__Windows_system.ini'],
    ['..', null],
    ['\u202Egnp.exe', '1__gnp.exe'],
    [`${'長'.repeat(200)}.jpg`, `1_${'長'.repeat(76)}.jpg`],
  ])('a file that was sent as %j cannot lead anywhere', async (given, expected) => {
    const image = await upload(world, person, await phonePhoto(40, 30), given)
    await addPost(world, person, [
      ['type', '1'],
      ['has_image_file[]', image],
    ])
    const entries = await unzip((await fetchZip(person, await exported(person))).rawPayload)
    const [name] = entries.flatMap((it) => (it.name.startsWith('media/') ? [it.name] : []))
    expect(name?.split('/')).toHaveLength(3)
    expect(name?.split('/')[2]).toBe(expected ?? `1_${image}`)
  })

  test('stands in a folder and a file that only the server’s user may read', async () => {
    await exported(person)
    const file = world.deps.files.exportPath(await idOf(person))
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
    expect(((await stat(world.deps.files.exports)).mode & 0o777).toString(8)).toBe('700')
  })
})

describe('fetching', () => {
  test('wants a session of that person, and beside it the letter’s secret or a password proven lately', async () => {
    const link = await exported(person)
    world.clock.now += 11 * 60_000
    const answer = async (as: Member | null, query: string) => {
      const reply = await fetchZip(as, query)
      return reply.statusCode === 200 ? 200 : errorOf(reply).code
    }
    expect(await answer(null, link)).toBe('unauthenticated')
    await prove(world, other)
    expect(await answer(other, link)).toBe('link_invalid')
    expect(await answer(other, '')).toBe('gone')
    expect(await answer(person, '?token=nonsense')).toBe('link_invalid')
    expect(await answer(person, '')).toBe('validation_required')
    expect(await answer(person, link)).toBe(200)
    await prove(world, person)
    expect(await answer(person, '')).toBe(200)
  })

  test('works by the cookie, as a download with a name, kept by no cache', async () => {
    const link = await exported(person)
    const cookie = { cookie: `todoke_token=${encodeURIComponent(`Bearer ${person.token}`)}` }
    const reply = await fetchZip(null, link, cookie)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="todoke-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'private, no-store',
    })
  })

  test('goes on in the middle after a cut', async () => {
    const link = await exported(person)
    const whole = (await fetchZip(person, link)).rawPayload
    const rest = await fetchZip(person, link, { range: 'bytes=100-' })
    expect(rest.statusCode).toBe(206)
    expect(rest.headers['content-range']).toBe(`bytes 100-${whole.length - 1}/${whole.length}`)
    expect(rest.rawPayload.equals(whole.subarray(100))).toBe(true)
  })

  test('is open to whoever waits for the account’s deletion; asking for a new one is not', async () => {
    const link = await exported(person)
    await leave(world, person)
    expect((await fetchZip(person, link)).statusCode).toBe(200)
    expect((await state(person)).export.is).toBe('ready')
    expect(errorOf(await ask(person)).code).toBe('leaving')
  })

  test('ends after seven days, and the zip is gone at the next look', async () => {
    const link = await exported(person)
    const file = world.deps.files.exportPath(await idOf(person))
    world.clock.now += EXPORT_MS - 1
    await reapExports(world.deps)
    expect((await fetchZip(person, link)).statusCode).toBe(200)
    world.clock.now += 1
    expect(errorOf(await fetchZip(person, link)).code).toBe('link_invalid')
    expect((await state(person)).export.is).toBe('expired')
    await reapExports(world.deps)
    await expect(stat(file)).rejects.toThrow('ENOENT')
    expect((await state(person)).export.is).toBe('expired')
  })
})

describe('asking', () => {
  test('wants a password proven lately', async () => {
    expect(errorOf(await call(world, person, 'POST', '/user/export')).code).toBe('validation_required')
  })

  test('is waiting, then ready with its size and end, and told by letter', async () => {
    expect(await state(person)).toEqual({ export: { is: 'none' }, may_ask_at: null })
    expect((await ask(person)).json().export.is).toBe('waiting')
    await make(person)
    const it = await state(person)
    const { size } = await stat(world.deps.files.exportPath(await idOf(person)))
    const expires = world.clock.now + EXPORT_MS
    expect(it.export).toMatchObject({
      is: 'ready',
      length: size,
      expires_at: new Date(expires).toISOString(),
    })
    expect(await lettersTo(world, person.email)).toEqual([
      { is: 'export_ready', url: expect.stringContaining('/user/data-export?token='), expires },
    ])
  })

  test('again the same day is rate_limited, and says when', async () => {
    await exported(person)
    const reply = await ask(person)
    expect([reply.statusCode, errorOf(reply).code]).toEqual([429, 'rate_limited'])
    expect(Date.parse((await state(person)).may_ask_at)).toBe(world.clock.now + EXPORT_EVERY_MS)
    world.clock.now += EXPORT_EVERY_MS
    expect((await ask(person)).json().export.is).toBe('waiting')
  })

  test('for one that failed is possible at once', async () => {
    await ask(person)
    await expect(makeExport(failing(world.deps), await idOf(person))).rejects.toThrow('the disk is full')
    expect(await state(person)).toMatchObject({ export: { is: 'failed' }, may_ask_at: null })
    expect((await ask(person)).json().export.is).toBe('waiting')
  })
})

describe('the job', () => {
  test('that is cut by our stopping is done anew at the next start, and leaves nothing in passing', async () => {
    await ask(person)
    const stopping = { ...failing(world.deps), draining: { now: true } }
    await expect(makeExport(stopping, await idOf(person))).rejects.toThrow('the disk is full')
    expect((await state(person)).export.is).toBe('waiting')
    expect(await readdir(world.deps.files.temporary)).toEqual([])
    await make(person)
    expect((await state(person)).export.is).toBe('ready')
  })

  test('done twice makes one zip and one letter', async () => {
    await ask(person)
    await Promise.all([make(person), make(person), make(person)])
    await make(person)
    expect(await lettersTo(world, person.email)).toHaveLength(1)
  })

  test('that nobody finished within a day is given up', async () => {
    await ask(person)
    world.clock.now += 24 * 3600_000 + 1
    await reapExports(world.deps)
    expect((await state(person)).export.is).toBe('failed')
  })

  test('a file no row knows is removed after an hour', async () => {
    const lost = path.join(world.deps.files.exports, `${newId()}.zip`)
    await writeFile(lost, 'x')
    await utimes(lost, world.clock.now / 1000, world.clock.now / 1000)
    await reapExports(world.deps)
    expect((await stat(lost)).size).toBe(1)
    const old = (world.clock.now - 3600_001) / 1000
    await utimes(lost, old, old)
    await reapExports(world.deps)
    await expect(stat(lost)).rejects.toThrow('ENOENT')
  })
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  test.skipIf(!available)('ten requests at once are one export', async () => {
    const own = await openWorld({ database: kind })
    const asker = await signUp(own)
    await prove(own, asker)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call(own, asker, 'POST', '/user/export')),
    )
    expect(replies.map((it) => it.statusCode)).toEqual(replies.map(() => 200))
    const { rows } = await own.database.executeSql('select id from data_exports')
    expect(rows).toHaveLength(1)
    await makeExport(own.deps, await idOf(asker, own))
    expect((await call(own, asker, 'GET', '/user/export')).json().export.is).toBe('ready')
    await own.close()
  })
})

function failing(deps: Deps): Deps {
  return {
    ...deps,
    files: { ...deps.files, moveDurably: () => Promise.reject(new Error('the disk is full')) },
  }
}
