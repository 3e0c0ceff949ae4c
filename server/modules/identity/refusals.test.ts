// Identity checks that are refused: files of others or of posts, scripts, replays, minors.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_DOCUMENT_BYTES, PROMPTS_MS } from '#contract/identity/identity.ts'
import {
  documents,
  named,
  prepared,
  setNameOf,
  submit,
  submitted,
  uploadDocument,
} from '#server/testing/people/identity.ts'
import { addPost, call, errorOf, type Member, noise, signUp, upload } from '#server/testing/people/members.ts'
import { fixture, jpeg, svg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let person: Member
let body: Awaited<ReturnType<typeof prepared>>
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  person = await signUp(world)
  body = await prepared(world, person)
})

const DAY = 24 * 3600_000
const stateOf = async (as: Member) => (await call(world, as, 'GET', '/identity')).json().state.is
async function refused(change: object, key?: string) {
  const reply = await submit(world, person, { ...body, ...change }, key)
  expect(await stateOf(person)).toBe('none')
  return [reply.statusCode, errorOf(reply)]
}
const invalid = (fields: Record<string, string>) => [422, { code: 'invalid', fields }]
const document = async (bytes: Buffer, as = person) => named(await uploadDocument(world, as, bytes), bytes)

test('a submission without a session or without a key is refused', async () => {
  const visitor = await call(world, null, 'POST', '/identity/checks', body)
  expect(errorOf(visitor).code).toBe('unauthenticated')
  const keyless = await call(world, person, 'POST', '/identity/checks', body)
  expect(errorOf(keyless)).toEqual({ code: 'invalid', fields: { 'idempotency-key': 'malformed' } })
})

test('without a name and its reading a check is refused, and the same one is accepted with them', async () => {
  const info = { name: '名前', birth_date: '1990-04-01', legal_name: '', legal_name_kana: '' }
  await call(world, person, 'PUT', '/auth/info', info)
  const missing = invalid({ legal_name: 'required', legal_name_kana: 'required' })
  expect(await refused({})).toEqual(missing)
  await call(world, person, 'PUT', '/auth/info', { ...info, legal_name: '届 花子' })
  expect(await refused({})).toEqual(invalid({ legal_name_kana: 'required' }))
  await setNameOf(world, person)
  expect((await submit(world, person, body)).statusCode).toBe(200)
})

describe('files', () => {
  test('another member’s upload is unknown', async () => {
    const front = await document((await documents()).front, await signUp(world))
    expect(await refused({ front })).toEqual(invalid({ front: 'unknown_upload' }))
  })

  test('an upload for a post is unknown, whether a post uses it or not', async () => {
    const bytes = await jpeg()
    const id = await upload(world, person, bytes, 'a.jpg')
    expect(await refused({ front: await named(id, bytes) })).toEqual(invalid({ front: 'unknown_upload' }))
    await addPost(world, person, [
      ['type', '1'],
      ['has_image_file[]', id],
    ])
    expect(await refused({ front: await named(id, bytes) })).toEqual(invalid({ front: 'unknown_upload' }))
  })

  test('created without their purpose are refused, and the same check is accepted with others', async () => {
    const { front } = await documents()
    for (const purpose of ['', 'Identity', 'post']) {
      const id = await uploadDocument(world, person, front, { purpose })
      expect(await refused({ front: await named(id, front) })).toEqual(invalid({ front: 'unknown_upload' }))
    }
    expect((await submit(world, person, body)).statusCode).toBe(200)
  })

  test.each([
    ['an SVG', svg],
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an animated GIF', fixture('anim.gif')],
    ['a video', fixture('h264.mp4')],
    ['a file of random bytes', noise(5000)],
  ])('%s is refused as a document', async (_name, bytes) => {
    expect(await refused({ front: await document(bytes) })).toEqual([
      415,
      { code: 'unsupported_media', fields: { front: 'unsupported' } },
    ])
  })

  test.each([
    ['a picture', () => jpeg()],
    ['a Flash video', async () => fixture('h264.flv')],
  ])('%s is refused as a recording', async (_name, bytes) => {
    expect(await refused({ live: await document(await bytes()) })).toEqual([
      415,
      { code: 'unsupported_media', fields: { live: 'unsupported' } },
    ])
  })

  test('a picture above the size limit is too large', async () => {
    const large = Buffer.concat([await jpeg(), Buffer.alloc(MAX_DOCUMENT_BYTES)])
    expect(await refused({ front: await document(large) })).toEqual([
      413,
      { code: 'too_large', fields: { front: 'too_large' } },
    ])
  })

  test('an upload with another digest is refused', async () => {
    const other = { ...body.front, digest: body.live.digest }
    const [status, error] = await refused({ front: other })
    expect([status, (error as { code: string }).code]).toEqual([422, 'digest_mismatch'])
  })

  test('an unknown and an incomplete upload are refused', async () => {
    const bytes = await jpeg()
    const id = newId()
    await uploadDocument(world, person, Buffer.alloc(0), { id })
    const [status, error] = await refused({ front: await named(newId(), bytes) })
    expect([status, error]).toEqual(invalid({ front: 'unknown_upload' }))
    await world.deps.db.execute(sql`update uploads set length = 99 where id = ${id}`)
    expect((await refused({ front: await named(id, bytes) }))[0]).toBe(409)
  })

  test('the same upload twice and ids that are paths are refused', async () => {
    expect((await refused({ back: body.front }))[0]).toBe(422)
    for (const id of ['../uploads/x', '..%2f..%2fsecret.key', `${newId()}/..`, '']) {
      expect(await refused({ front: { ...body.front, upload_id: id } })).toEqual(
        invalid({ 'front.upload_id': 'malformed' }),
      )
    }
  })

  test('the back of a My Number card is refused, and that of a driver’s licence is required', async () => {
    expect(await refused({ document_kind: 'my_number_card' })).toEqual(invalid({ back: 'unsupported' }))
    expect(await refused({ back: undefined })).toEqual(invalid({ back: 'required' }))
    const reply = await submit(world, person, {
      ...body,
      document_kind: 'my_number_card',
      back: undefined,
    })
    expect(reply.statusCode).toBe(200)
  })
})

describe('an uploaded document', () => {
  test('can neither be attached to a post nor be read as media', async () => {
    const id = body.front.upload_id
    const reply = await addPost(world, person, [
      ['type', '1'],
      ['has_image_file[]', id],
    ])
    expect([reply.statusCode, errorOf(reply)]).toEqual(invalid({ 'has_image_file[]': 'unknown_upload' }))
    for (const variant of ['original', 'w480', 'blurred'])
      expect((await call(world, person, 'GET', `/media/${id}/${variant}`)).statusCode).toBe(404)
    await submit(world, person, body)
    for (const variant of ['original', 'w480', 'blurred'])
      expect((await call(world, person, 'GET', `/media/${id}/${variant}`)).statusCode).toBe(404)
  })
})

describe('prompts', () => {
  test('of another member and unknown ones are refused', async () => {
    const ofOther = await prepared(world, await signUp(world))
    expect(await refused({ prompts_id: ofOther.prompts_id })).toEqual(invalid({ prompts_id: 'expired' }))
    expect(await refused({ prompts_id: newId() })).toEqual(invalid({ prompts_id: 'expired' }))
  })

  test('are refused once they were used, also after a rejection', async () => {
    const id = await submitted(world, person)
    await world.deps.db.execute(
      sql`update identity_checks set state = 'rejected', decided_at = now() where id = ${id}`,
    )
    const { rows } = await world.database.executeSql(
      `select id from identity_prompts where used_at is not null and user_id = '${person.id}'`,
    )
    const fresh = await prepared(world, person)
    const replayed = await submit(world, person, {
      ...fresh,
      prompts_id: (rows[0] as { id: string }).id,
    })
    expect(errorOf(replayed)).toEqual({ code: 'invalid', fields: { prompts_id: 'expired' } })
    expect((await submit(world, person, fresh)).statusCode, 'new prompts are accepted').toBe(200)
  })

  test('are expired for a recording whose upload began too late', async () => {
    const start = world.clock.now
    world.clock.now = start + PROMPTS_MS + 1000
    const { live } = await documents()
    const late = await document(live)
    world.clock.now = start + PROMPTS_MS + 2000
    const end = await refused({ live: late })
    world.clock.now = start
    expect(end).toEqual(invalid({ prompts_id: 'expired' }))
  })

  test('are valid for a recording whose upload began in time and took hours', async () => {
    const start = world.clock.now
    world.clock.now = start + 5 * 3600 * 1000
    const reply = await submit(world, person, body)
    world.clock.now = start
    expect(reply.statusCode).toBe(200)
  })
})

test('a person under 18 by the server’s clock is refused as under_age', async () => {
  const day = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(ms)
  // 29 February is no day eighteen years before.
  while ([0, DAY].some((ms) => day(world.clock.now + ms).endsWith('02-29'))) world.clock.now += DAY
  const [today, tomorrow] = [day(world.clock.now), day(world.clock.now + DAY)]
  const eighteenYearsBefore = (date: string) => `${Number(date.slice(0, 4)) - 18}${date.slice(4)}`
  await world.deps.db.execute(
    sql`update users set birth_date = ${eighteenYearsBefore(tomorrow)} where id = ${person.id}`,
  )
  expect(await refused({})).toEqual(invalid({ birth_date: 'under_age' }))
  const promptsReply = await call(world, person, 'POST', '/identity/prompts')
  expect(errorOf(promptsReply).fields).toEqual({ birth_date: 'under_age' })
  expect((await call(world, person, 'GET', '/identity')).json().age).toEqual({ verified: false })
  await world.deps.db.execute(
    sql`update users set birth_date = ${eighteenYearsBefore(today)} where id = ${person.id}`,
  )
  expect((await submit(world, person, body)).statusCode).toBe(200)
})
