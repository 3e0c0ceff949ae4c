// Documents that an earlier version stored among uploads of posts, and lost documents.
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TUS_CHUNK } from '#contract/limits.ts'
import { openWorldWithStore, type WorldWithStore } from '#server/testing/media/stored-names.ts'
import { beginUpload, offsetOf } from '#server/testing/media/uploads.ts'
import { documents, named, prepared, submit, uploadDocument } from '#server/testing/people/identity.ts'
import { errorOf, type Member, noise, patch, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import type { World } from '#server/testing/world.ts'
import { sweepIdentity } from './clear.ts'

let world: World
let namesOf: WorldWithStore['namesOf']
let person: Member
beforeAll(async () => {
  ;({ world, namesOf } = await openWorldWithStore())
})
afterAll(() => world.close())
beforeEach(async () => {
  person = await signUp(world)
})

const query = (statement: string, id: string) => world.database.executeSql(statement, [id])

/** Sends bytes as an earlier version stored those of a document: below `uploads/`. @returns the id of the upload */
async function sendEarlier(bytes: Buffer, until: number): Promise<string> {
  const id = await beginUpload(world, person, bytes.length)
  for (let at = 0; at < until; at += TUS_CHUNK)
    await patch(world, person, id, at, bytes.subarray(at, Math.min(until, at + TUS_CHUNK)))
  await query(`update uploads set metadata = metadata || '{"purpose": "identity"}' where id = $1`, id)
  const { media, identity } = await namesOf(id)
  expect([media.length > 0, identity]).toEqual([true, []])
  return id
}

/** Sends an upload as the queue does: from the offset that the server says, which a reply of an error does not change. */
async function send(id: string, bytes: Buffer): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const at = Number(await offsetOf(world, person, id))
    if (at === bytes.length) return
    await patch(world, person, id, at, bytes.subarray(at, at + TUS_CHUNK))
  }
  expect.unreachable('it is not sent')
}

async function body(front: { readonly id: string; readonly bytes: Buffer }) {
  const others = await prepared(world, person)
  return { ...others, front: await named(front.id, front.bytes) }
}

/** A picture of more than one part. */
const largePicture = async () => Buffer.concat([await jpeg(80, 50), noise(TUS_CHUNK)])

describe('a document that an earlier version stored among the uploads of posts', () => {
  const states: readonly [string, (bytes: Buffer) => number][] = [
    ['is finished', (bytes) => bytes.length],
    ['has a part and a tail', () => TUS_CHUNK + 100],
    ['has a tail', () => 100],
  ]
  const sweeps = [
    ['before', async () => undefined],
    ['after', () => sweepIdentity(world.deps)],
  ] as const

  test.each(
    states.flatMap(([state, until]) => sweeps.map(([when, sweep]) => [state, when, until, sweep] as const)),
  )(
    'and %s is sent again and submitted %s the sweep, which removes what is left of it',
    async (_state, _when, until, sweep) => {
      const bytes = await largePicture()
      const id = await sendEarlier(bytes, until(bytes))
      await sweep()
      const sent = await body({ id, bytes })
      const early = await submit(world, person, sent)
      expect([early.statusCode, errorOf(early)]).toEqual([
        409,
        { code: 'upload_incomplete', fields: { [id]: 'too_small' } },
      ])
      await send(id, bytes)
      await sweepIdentity(world.deps)
      expect(await namesOf(id)).toEqual({ media: [], identity: [`identity-uploads/${id}`] })
      expect((await submit(world, person, sent)).statusCode).toBe(200)
      expect(await namesOf(id)).toEqual({ media: [], identity: [`identity/${id}`] })
    },
  )

  test('and whose last byte was not recorded is sent again', async () => {
    const bytes = await jpeg(80, 50)
    const id = await sendEarlier(bytes, bytes.length)
    await query('update uploads set finished_at = null where id = $1', id)
    await send(id, bytes)
    const sent = await body({ id, bytes })
    const first = await submit(world, person, sent)
    // A store answers first that it has them, since the row says so.
    if (first.statusCode === 409) await send(id, bytes)
    const last = first.statusCode === 409 ? await submit(world, person, sent) : first
    expect(last.statusCode).toBe(200)
  })

  test('is removed at once when a server of the earlier version has sealed it, and ended before it removed it', async () => {
    const files = await documents()
    const id = await uploadDocument(world, person, files.front)
    const sent = await body({ id, bytes: files.front })
    expect((await submit(world, person, sent)).statusCode).toBe(200)
    const file = world.deps.storage.scratch.newPath()
    await writeFile(file, files.front)
    await world.deps.storage.objects.put(`uploads/${id}`, file)
    await sweepIdentity(world.deps)
    expect(await namesOf(id)).toEqual({ media: [], identity: [`identity/${id}`] })
  })
})

test('the sweep leaves documents that are being sent, and uploads of posts', async () => {
  const bytes = noise(1000)
  const [document, post] = [
    await uploadDocument(world, person, bytes),
    await beginUpload(world, person, 1000),
  ]
  await patch(world, person, post, 0, bytes)
  await sweepIdentity(world.deps)
  expect((await namesOf(document)).identity).toEqual([`identity-uploads/${document}`])
  expect((await namesOf(post)).media).toEqual([`uploads/${post}`])
})

test('a finished document whose bytes are lost is sent again and submitted', async () => {
  const bytes = await largePicture()
  const id = await uploadDocument(world, person, bytes)
  await send(id, bytes)
  await world.deps.storage.objects.remove(`identity-uploads/${id}`, 'at_once')
  const sent = await body({ id, bytes })
  expect(errorOf(await submit(world, person, sent)).code).toBe('upload_incomplete')
  expect(await offsetOf(world, person, id)).toBe('0')
  await send(id, bytes)
  expect((await submit(world, person, sent)).statusCode).toBe(200)
})
