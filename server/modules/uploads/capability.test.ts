// What a capability for one upload can do, and when it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { capabilityPath } from '#contract/uploads/parts.ts'
import { getParts, partsOf, putPart } from '#server/testing/media/parts.ts'
import { beginUpload, createUpload, metadataOf, removeUploadOf } from '#server/testing/media/uploads.ts'
import {
  call,
  errorOf,
  head,
  type Member,
  noise,
  patch,
  type Reply,
  signInAgain,
  signUp,
  tus,
} from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
let id: string
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await signUp(world)
  id = await beginUpload(world, owner)
})

const ask = (as: Pick<Member, 'auth'> | null, uploadId: string): Promise<Reply> =>
  world.app.inject({ method: 'POST', url: capabilityPath(uploadId), headers: { ...as?.auth } })

/** What a client has that sends a capability in place of a token. */
const withText = (capability: string) => ({ ...owner, auth: { authorization: `Upload ${capability}` } })
const capabilityFor = async (as: Member, uploadId = id): Promise<string> =>
  (await ask(as, uploadId)).json<{ capability: string }>().capability
const withCapability = async (as = owner, uploadId = id) => withText(await capabilityFor(as, uploadId))

const outcomeOf = (reply: Reply) => [reply.statusCode, errorOf(reply).code]
const refused = [401, 'unauthenticated']
const part = { no: 1, payload: noise(10) }
const put = (as: Pick<Member, 'auth'>, uploadId = id) => putPart(world, as, { ...part, id: uploadId })

describe('a capability', () => {
  test('sends the parts of its upload and reads which are stored', async () => {
    const as = await withCapability()
    expect(await partsOf(world, as, id)).toMatchObject({ finished: false, stored: [0] })
    expect((await put(as)).statusCode).toBe(204)
    expect(await partsOf(world, as, id)).toMatchObject({ finished: true, stored: [10] })
  })

  test('is the same each time, so that an upload that is handed over again needs no other one', async () => {
    expect(await capabilityFor(owner)).toBe(await capabilityFor(owner))
    expect(await capabilityFor(owner)).not.toBe(await capabilityFor(await signInAgain(world, owner)))
  })

  test('gives nothing else, neither of its upload nor of its owner', async () => {
    const as = await withCapability()
    const metadata = { 'upload-length': '10', 'upload-metadata': metadataOf(newId()) }
    expect(outcomeOf(await patch(world, as, id, 0, Buffer.alloc(10)))).toEqual(refused)
    expect((await head(world, as, id)).statusCode).toBe(401)
    expect(outcomeOf(await removeUploadOf(world, as, id))).toEqual(refused)
    expect(outcomeOf(await createUpload(world, as, metadata))).toEqual(refused)
    expect(outcomeOf(await ask(as, id))).toEqual(refused)
    for (const [method, path] of [
      ['GET', '/auth/info'],
      ['GET', '/notifications'],
      ['POST', '/post/add'],
    ] as const)
      expect([path, (await call(world, as, method, path)).statusCode]).toEqual([path, 401])
  })

  test('sends no part of another upload, of the same person or of another one', async () => {
    const [as, second] = [await withCapability(), await beginUpload(world, owner)]
    expect(outcomeOf(await put(as, second))).toEqual(refused)
    const other = await signUp(world)
    expect(outcomeOf(await put(as, await beginUpload(world, other)))).toEqual(refused)
    expect(outcomeOf(await getParts(world, as, second))).toEqual(refused)
  })

  test('of another session, with its own MAC or a changed one, is unauthenticated', async () => {
    const [session, mac] = (await capabilityFor(owner)).split('.') as [string, string]
    const [stranger] = (await capabilityFor(await signInAgain(world, owner))).split('.') as [string]
    const changed = `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`
    for (const it of [
      `${stranger}.${mac}`,
      `${session}.${changed}`,
      `${newId()}.${mac}`,
      mac,
      `${session}.`,
      '',
    ])
      expect(outcomeOf(await put(withText(it)))).toEqual(refused)
    expect((await put(withText(`${session}.${mac}`))).statusCode).toBe(204)
  })

  test('is for the owner of the upload alone, and for an upload that takes parts', async () => {
    expect(outcomeOf(await ask(null, id))).toEqual(refused)
    expect(outcomeOf(await ask(await signUp(world), id))).toEqual([404, 'not_found'])
    expect(outcomeOf(await ask(owner, newId()))).toEqual([404, 'not_found'])
    const document = newId()
    await createUpload(world, owner, {
      'upload-length': '10',
      'upload-metadata': `${metadataOf(document)},purpose ${btoa('identity')}`,
    })
    expect(outcomeOf(await ask(owner, document))).toEqual([400, 'bad_request'])
    expect((await ask(owner, id)).headers['cache-control']).toBe('no-store')
  })
})

describe('a capability ends', () => {
  test('when its session signs out, and not when another one does', async () => {
    const [other, as] = [await signInAgain(world, owner), await withCapability()]
    await call(world, other, 'POST', '/auth/sign-out')
    expect((await getParts(world, as, id)).statusCode).toBe(200)
    await call(world, owner, 'POST', '/auth/sign-out')
    expect(outcomeOf(await put(as))).toEqual(refused)
    expect(await partsOf(world, await signInAgain(world, owner), id)).toMatchObject({ stored: [0] })
  })

  test.each([
    ['is suspended', 'update users set suspended_at = now() where id = $1'],
    [
      'is leaving',
      `insert into deletions (user_id, reason, requested_at, due_at, undo_hash)
        values ($1, 'other', now(), now() + interval '1 day', gen_random_uuid()::text)`,
    ],
    ['is deleted', 'delete from users where id = $1'],
  ])('when its account %s', async (_what, sql) => {
    const as = await withCapability()
    await world.database.executeSql(sql, [owner.id])
    expect(outcomeOf(await put(as))).toEqual(refused)
  })

  test('when its session expires, and with its upload', async () => {
    const as = await withCapability()
    await removeUploadOf(world, owner, id)
    expect(outcomeOf(await put(as))).toEqual([404, 'not_found'])
    const next = await beginUpload(world, owner)
    const capability = await withCapability(owner, next)
    await world.database.executeSql('update sessions set expires_at = now() where user_id = $1', [owner.id])
    world.clock.now = Date.now() + 1000
    expect(outcomeOf(await put(capability, next))).toEqual(refused)
  })
})

test('a token of the session is no capability, and a capability is no token', async () => {
  expect(outcomeOf(await put(withText(owner.token)))).toEqual(refused)
  const bearer = { auth: { authorization: `Bearer ${await capabilityFor(owner)}` } }
  expect(
    (
      await world.app.inject({
        method: 'HEAD',
        url: `${TUS_PATH}/${id}`,
        headers: { ...bearer.auth, ...tus },
      })
    ).statusCode,
  ).toBe(401)
})
