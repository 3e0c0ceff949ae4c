// Requesting and downloading one's own data: access, frequency, and lifetime.
import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EXPORT_EVERY_MS, EXPORT_FILE_PATH, EXPORT_MS } from '#contract/accounts/export.ts'
import { exportsIn, fullDisk } from '#server/testing/people/exported.ts'
import { leave, validate } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'
import { makeExport, removeExpiredExports } from './make.ts'

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

const { ask, exported, fetchZip, idOf, make, state } = exportsIn(() => world)

describe('downloading', () => {
  test('requires a session of the member, and the secret of the email or a recent validation', async () => {
    const link = await exported(person)
    world.clock.now += 11 * 60_000
    const outcome = async (as: Member | null, secret?: string) => {
      const reply = await fetchZip(as, secret)
      return reply.statusCode === 200 ? 200 : errorOf(reply).code
    }
    expect(await outcome(null, link)).toBe('unauthenticated')
    await validate(world, other)
    expect(await outcome(other, link)).toBe('link_invalid')
    expect(await outcome(other)).toBe('gone')
    expect(await outcome(person, 'nonsense')).toBe('link_invalid')
    expect(await outcome(person)).toBe('validation_required')
    expect(await outcome(person, link)).toBe(200)
    await validate(world, person)
    expect(await outcome(person)).toBe(200)
  })

  test('takes the secret in the query from a page of an earlier version too', async () => {
    const link = await exported(person)
    world.clock.now += 11 * 60_000
    const by = (token: string) => call(world, person, 'GET', `${EXPORT_FILE_PATH}?token=${token}`)
    expect([(await by(link)).statusCode, errorOf(await by('nonsense')).code]).toEqual([200, 'link_invalid'])
  })

  test('works with the session cookie, has a file name, and is not cached', async () => {
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

  test('resumes after an interruption, by a range', async () => {
    const link = await exported(person)
    const whole = (await fetchZip(person, link)).rawPayload
    const rest = await fetchZip(person, link, { range: 'bytes=100-' })
    expect(rest.statusCode).toBe(206)
    expect(rest.headers['content-range']).toBe(`bytes 100-${whole.length - 1}/${whole.length}`)
    expect(rest.rawPayload.equals(whole.subarray(100))).toBe(true)
  })

  test('is possible while the account waits for its deletion; requesting a new export is not', async () => {
    const link = await exported(person)
    await leave(world, person)
    expect((await fetchZip(person, link)).statusCode).toBe(200)
    expect((await state(person)).export.is).toBe('ready')
    expect(errorOf(await ask(person)).code).toBe('leaving')
  })

  test('ends after seven days, and the next sweep removes the zip', async () => {
    const link = await exported(person)
    const file = storedAt(world, 'exports', `${await idOf(person)}.zip`)
    world.clock.now += EXPORT_MS - 1
    await removeExpiredExports(world.deps)
    expect((await fetchZip(person, link)).statusCode).toBe(200)
    world.clock.now += 1
    expect(errorOf(await fetchZip(person, link)).code).toBe('link_invalid')
    expect((await state(person)).export.is).toBe('expired')
    await removeExpiredExports(world.deps)
    await expect(stat(file)).rejects.toThrow('ENOENT')
    expect((await state(person)).export.is).toBe('expired')
  })
})

describe('requesting', () => {
  test('requires a recent validation', async () => {
    expect(errorOf(await call(world, person, 'POST', '/user/export')).code).toBe('validation_required')
  })

  test('is waiting, then ready with size and expiry, and announced by email', async () => {
    expect(await state(person)).toEqual({ export: { is: 'none' }, may_ask_at: null })
    expect((await ask(person)).json().export.is).toBe('waiting')
    await make(person)
    const it = await state(person)
    const { size } = await stat(storedAt(world, 'exports', `${await idOf(person)}.zip`))
    const expires = world.clock.now + EXPORT_MS
    expect(it.export).toMatchObject({
      is: 'ready',
      length: size,
      expires_at: new Date(expires).toISOString(),
    })
    expect(await emailsTo(world, person.email)).toEqual([
      { is: 'export_ready', url: expect.stringContaining('/user/data-export#token='), expires },
    ])
  })

  test('a second time on the same day is rate_limited, and the state has the next possible time', async () => {
    await exported(person)
    const reply = await ask(person)
    expect([reply.statusCode, errorOf(reply).code]).toEqual([429, 'rate_limited'])
    expect(Date.parse((await state(person)).may_ask_at)).toBe(world.clock.now + EXPORT_EVERY_MS)
    world.clock.now += EXPORT_EVERY_MS
    expect((await ask(person)).json().export.is).toBe('waiting')
  })

  test('is possible at once after a failed export', async () => {
    await ask(person)
    await expect(makeExport(fullDisk(world.deps), await idOf(person))).rejects.toThrow('the disk is full')
    expect(await state(person)).toMatchObject({ export: { is: 'failed' }, may_ask_at: null })
    expect((await ask(person)).json().export.is).toBe('waiting')
  })
})
