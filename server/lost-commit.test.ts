// After a lost reply to COMMIT the files of the transaction stay.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ObjectKey } from '#server/adapters/files/object-store.ts'
import { makeExport } from '#server/modules/exports/make.ts'
import { exportsIn } from '#server/testing/people/exported.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  sha256,
  signUp,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { type Loss, type LossyRelay, openLossyRelay } from '#server/testing/postgres/lost-replies.ts'
import { runsWhole } from '#server/testing/sample.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const addPicture = (world: World, person: Member, { key, bytes }: { key: string; bytes: Buffer }) =>
  addPost(
    world,
    person,
    [
      ['content', '写真です'],
      ['type', '1'],
      ['image_file[]', { name: 'a.jpg', bytes }],
    ],
    key,
  )

describe.skipIf(!postgresAvailable())('when the reply to COMMIT is lost', () => {
  let behind: World
  let world: World
  let relay: LossyRelay
  let person: Member
  let picture: Buffer
  beforeAll(async () => {
    behind = await openWorld({ database: 'postgres' })
    relay = await openLossyRelay(String(behind.postgres?.url))
    world = await openWorld({ at: { url: relay.url }, parts: { dataDir: behind.dataDir } })
    person = await signUp(world)
    picture = await jpeg(80, 60)
  })
  afterAll(async () => {
    await world.close()
    await relay.close()
    await behind.close()
  })

  const add = (key: string, bytes = picture) => addPicture(world, person, { key, bytes })
  const keyOf = async (postId: string): Promise<ObjectKey> => {
    const sql = 'select media_id as id from post_media where post_id = $1'
    const { rows } = await behind.database.executeSql(sql, [postId])
    return `uploads/${String((rows[0] as { id: string }).id)}`
  }
  const storedDigest = (key: ObjectKey) =>
    world.deps.storage.objects.withBytes(key, async ({ read }) => sha256(await read(0, picture.length)))
  const uploads = async () => {
    const names: string[] = []
    for await (const page of world.deps.storage.objects.list('uploads'))
      names.push(...page.map((it) => it.name))
    return names
  }

  // A silent connection is given up after some seconds.
  const losses: readonly Loss[] = runsWhole ? ['cut', 'silent'] : ['cut']
  test.each(losses)(
    '(%s) an added post keeps its picture, and the repeated request finds both',
    async (loss) => {
      const key = newId()
      relay.loseCommitOf('into "posts"', loss)
      const lost = relay.lost
      const first = await add(key)
      relay.restore()
      expect(relay.lost - lost).toBe(1)
      expect([first.statusCode, errorOf(first)]).toEqual([503, { code: 'unavailable' }])
      expect(first.headers['retry-after']).toBe('5')
      const before = await uploads()
      const again = await add(key)
      expect(again.statusCode).toBe(200)
      expect(await uploads()).toEqual(before)
      expect(await storedDigest(await keyOf(postIdOf(again)))).toEqual(sha256(picture))
    },
    60_000,
  )

  test('a picture of the profile stays', async () => {
    const form = new FormData()
    form.append('picture', new Blob([new Uint8Array(picture)]), 'a.jpg')
    const encoded = new Response(form)
    relay.loseCommitOf('into "uploads"', 'cut')
    const reply = await call(
      world,
      person,
      'PUT',
      '/profile/pictures/avatar',
      Buffer.from(await encoded.arrayBuffer()),
      { 'content-type': String(encoded.headers.get('content-type')) },
    )
    expect([reply.statusCode, errorOf(reply)]).toEqual([503, { code: 'unavailable' }])
    const sql = 'select id from uploads where owner_id = $1 order by created_at desc, id desc limit 1'
    const { rows } = await behind.database.executeSql(sql, [person.id])
    const key = `uploads/${String((rows[0] as { id: string }).id)}` as const
    expect(await storedDigest(key)).toEqual(sha256(picture))
  })

  test('an export is not marked as failed, and its email is sent once', async () => {
    const { ask, idOf, make, state } = exportsIn(() => world)
    await ask(person)
    relay.loseCommitOf('"ready_at"', 'cut')
    const lost = relay.lost
    await expect(makeExport(world.deps, await idOf(person))).rejects.toThrow('the reply to COMMIT is lost')
    expect(relay.lost - lost).toBe(1)
    expect((await state(person)).export.is).toBe('ready')
    await make(person)
    expect(await emailsTo(world, person.email)).toHaveLength(1)
  })

  test('a post that the database refused at its COMMIT leaves no picture', async () => {
    await behind.database.executeSql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused at commit'; end $$;
       create constraint trigger refuse after insert on post_media deferrable initially deferred
         for each row execute function refuse()`,
    )
    const before = await uploads()
    const reply = await add(newId())
    await behind.database.executeSql('drop trigger refuse on post_media; drop function refuse')
    expect([reply.statusCode, errorOf(reply)]).toEqual([500, { code: 'internal' }])
    expect(await uploads()).toEqual(before)
  })
})

describe('a repeated add of an unreleased post', () => {
  let world: World
  let person: Member
  let picture: Buffer
  beforeAll(async () => {
    world = await openWorld()
    person = await signUp(world)
    picture = await jpeg(80, 60)
  })
  afterAll(() => world.close())

  const add = (key: string, bytes: Buffer) => addPicture(world, person, { key, bytes })
  const loseFiles = async (postId: string) => {
    const sql = 'select media_id as id from post_media where post_id = $1'
    const { rows } = await world.database.executeSql(sql, [postId])
    const keys = rows.map((it) => `uploads/${String((it as { id: string }).id)}` as const)
    for (const key of keys) await world.deps.storage.objects.remove(key, 'at_once')
    await world.database.executeSql(
      `update media set state = 'failed', failure = 'gave_up' where id in (select media_id from post_media where post_id = $1)`,
      [postId],
    )
    return keys
  }

  test('stores a picture again that the store has lost, and has it made', async () => {
    const key = newId()
    const id = postIdOf(await add(key, picture))
    const [lost] = await loseFiles(id)
    expect(postIdOf(await add(key, picture))).toBe(id)
    expect(await world.deps.storage.objects.sizeOf(String(lost) as ObjectKey)).toBe(picture.length)
    const { rows } = await world.database.executeSql(
      'select state from media where id in (select media_id from post_media where post_id = $1)',
      [id],
    )
    expect(rows).toEqual([{ state: 'processing' }])
  })

  test('is unavailable when the request has another picture, so that the device keeps its copy', async () => {
    const key = newId()
    await loseFiles(postIdOf(await add(key, picture)))
    const reply = await add(key, await jpeg(200, 100))
    expect([reply.statusCode, errorOf(reply)]).toEqual([503, { code: 'unavailable' }])
  })
})
