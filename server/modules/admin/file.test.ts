// Recordings in ranges, as browsers request them. Each opening is audited once.
import { readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import { admin, audited, identify, documents, prepared, submit } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'

const MINUTE = 60_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a recording', () => {
    let world: World
    let aya: Member
    let live: Buffer
    let id: string
    let check: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      aya = await admin(world)
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      const files = await documents()
      live = Buffer.concat([files.live, randomBytes(700_000)])
      const person = await signUp(world)
      const sent = await submit(world, person, await prepared(world, person, { ...files, live }))
      check = sent.json().data.id
      await call(world, aya, 'POST', `/admin/identity/checks/${check}/take`)
      const opened = await call(world, aya, 'GET', `/admin/identity/checks/${check}`)
      const parts = opened.json<CheckDetail>().evidence?.files
      id = parts?.find((it) => it.part === 'live')?.id ?? ''
      await identify(world, aya)
    })

    const get = (range: string, as: Member | null = aya, more: Record<string, string> = {}) =>
      call(world, as, 'GET', `/admin/identity/files/${id}`, undefined, { ...(range && { range }), ...more })
    const openings = async () =>
      (await audited(world)).filter((it) => it.act === 'identity.view' && it.subject === id).length

    test('is sent in the requested ranges, and the audit log has one opening', async () => {
      const seen: [number, boolean][] = []
      for (const [range, from, to] of [
        ['bytes=0-1', 0, 2],
        ['bytes=0-', 0, live.length],
        ['bytes=262143-262145', 262_143, 262_146],
        [`bytes=${live.length - 5}-`, live.length - 5, live.length],
        ['bytes=-9', live.length - 9, live.length],
      ] as const) {
        const reply = await get(range)
        expect(reply.headers).toMatchObject({
          'content-range': `bytes ${from}-${to - 1}/${live.length}`,
          'content-length': String(to - from),
          'accept-ranges': 'bytes',
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; sandbox",
        })
        seen.push([reply.statusCode, reply.rawPayload.equals(live.subarray(from, to))])
      }
      expect(seen).toEqual(Array.from({ length: 5 }, () => [206, true]))
      expect(await openings()).toBe(1)
    })

    test('has a new opening for another admin, after a quarter of an hour, and for each request of the whole file', async () => {
      await get('bytes=0-1')
      await call(world, aya, 'POST', `/admin/identity/checks/${check}/return`)
      const next = await admin(world)
      await call(world, next, 'POST', `/admin/identity/checks/${check}/take`)
      await get('bytes=5-9', next)
      expect(await openings()).toBe(2)
      await call(world, next, 'POST', `/admin/identity/checks/${check}/return`)
      await call(world, aya, 'POST', `/admin/identity/checks/${check}/take`)
      world.clock.now += 15 * MINUTE
      await identify(world, aya)
      await get('bytes=10-')
      expect(await openings()).toBe(3)
      for (const range of ['', 'bytes=0-1,5-6']) {
        const reply = await get(range)
        expect([reply.statusCode, reply.rawPayload.equals(live)]).toEqual([200, true])
      }
      expect(await openings()).toBe(5)
    })

    test('is answered 416 with its length for a range after its end', async () => {
      const reply = await get(`bytes=${live.length}-`)
      expect([reply.statusCode, reply.headers['content-range']]).toEqual([416, `bytes */${live.length}`])
    })

    test('is sent in a range only if If-Range has its tag', async () => {
      const tag = String((await get('bytes=0-1')).headers['etag'])
      expect((await get('bytes=5-9', aya, { 'if-range': tag })).statusCode).toBe(206)
      expect((await get('bytes=5-9', aya, { 'if-range': '"other"' })).rawPayload.equals(live)).toBe(true)
    })

    test('requires a validation of this session within ten minutes, and is not audited before', async () => {
      world.clock.now += 10 * MINUTE
      const refused = await get('bytes=0-1')
      expect([refused.statusCode, errorOf(refused).code]).toEqual([403, 'validation_required'])
      expect(await openings()).toBe(0)
      const wrong = await call(world, aya, 'POST', '/auth/validation', { password: 'wrong-password-1' })
      expect(errorOf(wrong).fields).toEqual({ password: 'wrong_password' })
      expect((await get('bytes=0-1')).statusCode).toBe(403)
      await call(world, aya, 'POST', '/auth/validation', { password: PASSWORD })
      expect((await get('bytes=0-1')).statusCode).toBe(206)
      // Another session of the same admin has no validation.
      const other = await call(world, null, 'POST', '/auth/sign-in', { email: aya.email, password: PASSWORD })
      const auth = { authorization: `Bearer ${other.json().token}` }
      expect(errorOf(await get('bytes=0-1', { ...aya, auth })).code).toBe('validation_required')
    })

    test('is sent only to the admin who took the check', async () => {
      const other = await admin(world)
      expect(errorOf(await get('bytes=0-1', other)).code).toBe('forbidden')
      await call(world, aya, 'POST', `/admin/identity/checks/${check}/return`)
      expect(errorOf(await get('bytes=0-1')).code).toBe('forbidden')
      await call(world, other, 'POST', `/admin/identity/checks/${check}/take`)
      expect((await get('bytes=0-1', other)).statusCode).toBe(206)
      expect(errorOf(await get('bytes=0-1')).code).toBe('forbidden')
      expect(await openings()).toBe(1)
    })

    test('that was changed is not sent, and neither is a changed part of it later', async () => {
      const file = storedAt(world, 'identity', id)
      const bytes = await readFile(file)
      const altered = Buffer.from(bytes)
      altered[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await writeFile(file, altered)
      const refused = await get('bytes=0-1')
      expect([refused.statusCode, errorOf(refused).code]).toEqual([500, 'internal'])
      // Changed after it was opened: each part is verified separately.
      await writeFile(file, bytes)
      await get('bytes=0-1')
      await writeFile(file, altered)
      const end = await get(`bytes=${live.length - 9}-`)
      expect([end.statusCode, errorOf(end).code]).toEqual([500, 'internal'])
    })

    test('is not sent without its audit entry, nor to members and visitors', async () => {
      await world.database.executeSql('alter table audit_log rename to audit_log_away')
      const withoutEntry = await get('bytes=0-1')
      await world.database.executeSql('alter table audit_log_away rename to audit_log')
      expect([withoutEntry.statusCode, errorOf(withoutEntry).code]).toEqual([500, 'internal'])
      const [member, visitor] = [await get('bytes=0-1', await signUp(world)), await get('bytes=0-1', null)]
      expect([errorOf(member).code, errorOf(visitor).code]).toEqual(['not_found', 'unauthenticated'])
      expect(await openings()).toBe(0)
    })
  })
})
