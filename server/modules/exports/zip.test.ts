// The content of a person's zip: their data and uploads, and nothing of others.
import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { exportsIn } from '#server/testing/people/exported.ts'
import {
  addPost,
  call,
  type FormValue,
  type Member,
  postIdOf,
  identify,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, phonePhoto } from '#server/testing/pictures.ts'
import { unzip } from '#server/testing/media/unzip.ts'
import { addReceipted } from '#server/testing/payments/receipted.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'

let world: World
let person: Member
let other: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  person = await identify(world, await signUp(world))
  other = await signUp(world)
})

const { exported, fetchZip, idOf } = exportsIn(() => world)

/** Releases the post; the person follows, mutes, likes, comments and reports. */
async function addReactions(post: string): Promise<void> {
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
  test('contains the member’s data, and their pictures and videos as uploaded', async () => {
    const [photo, video] = [await phonePhoto(), fixture('h264-gps.mov')]
    const image = await upload(world, person, photo, '朝の海.jpg')
    const videoId = await upload(world, person, video, 'うみ.mov')
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
      ['has_video_file', videoId],
      ['image_url', { name: 't.jpg', bytes: photo }],
    ])
    await addPurchase(world.deps.db, one, other.id, 500, world.clock.now)
    await addReactions(one)
    await addReceipted(world, person, other, '宛名です')
    const zip = (await fetchZip(person, await exported(person))).rawPayload
    const entries = await unzip(zip)
    const names = entries.map((it) => it.name)
    expect(names.slice(0, 14)).toEqual([
      'README.txt',
      'profile.json',
      'posts.json',
      'settings.json',
      'sessions.json',
      'purchases.json',
      'people.json',
      'reactions.json',
      'readings.json',
      'messages.json',
      'notifications.json',
      'bank-account.json',
      'seller.json',
      'identity.json',
    ])
    const read = (name: string) => entries.find((it) => it.name === name)
    const json = (name: string) => JSON.parse(defined(read(name)?.bytes.toString()))
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
    expect(read(defined(file?.file))).toMatchObject({ stored: true })
    expect(read(defined(file?.file))?.bytes.equals(photo)).toBe(true)
    expect(entries.find((it) => it.name.endsWith('_うみ.mov'))?.bytes.equals(video)).toBe(true)
    expect(json('purchases.json').sold).toEqual([{ post_id: one, price: 500, at: expect.any(String) }])
    expect(json('purchases.json').payments).toMatchObject([
      { amount: 500, state: 'paid', receipt: { addressee: '宛名です', issues: 1 } },
    ])
    expect(json('sessions.json').sessions).toHaveLength(1)
  })

  test('contains no secret and nothing of other members', async () => {
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
  ])('a file uploaded as %j has a path inside its folder', async (given, expected) => {
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

  test('is stored in a folder and a file that only the server’s user may read', async () => {
    await exported(person)
    const file = storedAt(world, 'exports', `${await idOf(person)}.zip`)
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
    expect(((await stat(storedAt(world, 'exports'))).mode & 0o777).toString(8)).toBe('700')
  })
})
