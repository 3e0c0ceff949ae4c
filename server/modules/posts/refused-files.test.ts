// Files that /post/add refuses: unsupported kinds, too large files and wrong digests.
import { readdir } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { uploadDocument } from '#server/testing/people/identity.ts'
import { addPost, digestOf, type Member, noise, signUp, upload } from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { refusedAdd } from '#server/testing/refusing.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
beforeAll(async () => {
  world = await openWorld()
  creator = await signUp(world)
})
afterAll(() => world.close())

const temporaryFiles = (): Promise<string[]> => readdir(world.deps.storage.scratch.folder)
afterEach(async () => {
  expect(await temporaryFiles()).toEqual([])
})

const refused = (fields: Parameters<typeof refusedAdd>[2], as: Member | null = creator) =>
  refusedAdd(world, as, fields)
const text = [
  ['content', '本文'],
  ['type', '1'],
] as const

describe('kinds, detected by the bytes', () => {
  test.each([
    ['noise named .mp4', 'has_video_file', noise(5000), 'a.mp4'],
    ['HTML named .jpg', 'has_image_file[]', Buffer.from('<!doctype html><script>1</script>'), 'a.jpg'],
    ['HTML around an SVG', 'has_image_file[]', Buffer.from('<html><svg></svg></html>'), 'a.svg'],
    ['a PDF', 'has_image_file[]', Buffer.from('%PDF-1.7\n1 0 obj'), 'a.png'],
    ['an empty file', 'has_image_file[]', Buffer.alloc(0), 'a.png'],
    ['a video as image', 'has_image_file[]', fixture('h264.mp4'), 'a.png'],
  ])('%s is unsupported_media', async (_, field, bytes, name) => {
    const id = await upload(world, creator, bytes, name)
    expect(await refused([...text, [field, id]])).toEqual([
      415,
      { code: 'unsupported_media', fields: { [field]: 'unsupported' } },
    ])
  })

  test('a video as thumbnail is unsupported_media', async () => {
    const thumbnail = { name: 't.jpg', bytes: fixture('h264.mp4') }
    expect(await refused([...text, ['image_url', thumbnail]])).toEqual([
      415,
      { code: 'unsupported_media', fields: { image_url: 'unsupported' } },
    ])
  })

  test('a file in an unknown field is refused', async () => {
    expect(await refused([...text, ['evil', { name: 'a.jpg', bytes: await jpeg() }]])).toEqual([
      422,
      { code: 'invalid', fields: { evil: 'unsupported' } },
    ])
  })

  test('an inline picture of 11 MiB in image_url is too_large', async () => {
    const big = { name: 'a.jpg', bytes: Buffer.concat([await jpeg(), noise(11 * 1024 * 1024)]) }
    expect(await refused([...text, ['image_url', big]])).toEqual([413, { code: 'too_large' }])
  })
})

test('a document sent for an identity check is refused as a picture, even in a post of its owner', async () => {
  const document = await uploadDocument(world, creator, await jpeg())
  expect(await refused([...text, ['has_image_file[]', document]])).toEqual([
    422,
    { code: 'invalid', fields: { 'has_image_file[]': 'unknown_upload' } },
  ])
})

describe('digests', () => {
  test('the digest of other bytes is digest_mismatch and names the upload, the right one is accepted', async () => {
    const bytes = await jpeg(300, 300)
    const id = await upload(world, creator, bytes, 'a.jpg')
    const wrong = await digestOf(id, noise(500))
    const fields = [...text, ['has_image_file[]', id]] as const
    expect(await refused([...fields, ['upload_digest[]', wrong]])).toEqual([
      422,
      { code: 'digest_mismatch', fields: { [id]: 'malformed' } },
    ])
    const reply = await addPost(world, creator, [...fields, ['upload_digest[]', await digestOf(id, bytes)]])
    expect(reply.statusCode).toBe(200)
  })

  test('a file of 11 MiB is checked leaf by leaf', async () => {
    const bytes = Buffer.concat([fixture('h264.mp4'), noise(11 * 1024 * 1024)])
    const id = await upload(world, creator, bytes, 'a.mp4')
    const swapped = Buffer.concat([bytes.subarray(0, 6 * 1024 * 1024), noise(bytes.length - 6 * 1024 * 1024)])
    const fields = [...text, ['has_video_file', id]] as const
    expect((await refused([...fields, ['upload_digest[]', await digestOf(id, swapped)]]))[0]).toBe(422)
    const reply = await addPost(world, creator, [...fields, ['upload_digest[]', await digestOf(id, bytes)]])
    expect(reply.statusCode).toBe(200)
  })

  test('pictures inside the request are compared in their order', async () => {
    const [first, second] = [await jpeg(40, 30), await jpeg(41, 30)]
    const digest = async (bytes: Buffer) => (await digestOf('', bytes)).slice(1)
    const fields = [
      ...text,
      ['image_file[]', { name: 'a.jpg', bytes: first }],
      ['image_file[]', { name: 'b.jpg', bytes: second }],
    ] as const
    const swapped = [
      ['image_digest[]', await digest(second)],
      ['image_digest[]', await digest(first)],
    ] as const
    expect(await refused([...fields, ...swapped])).toEqual([
      422,
      { code: 'digest_mismatch', fields: { 'image_file[]': 'malformed' } },
    ])
    expect(await refused([...fields, swapped[1]])).toEqual([
      422,
      { code: 'digest_mismatch', fields: { 'image_file[]': 'malformed' } },
    ])
    const reply = await addPost(world, creator, [...fields, ...swapped.toReversed()])
    expect(reply.statusCode).toBe(200)
  })

  test('a picture in image_file[] may have 11 MiB', async () => {
    const bytes = Buffer.concat([await jpeg(), noise(11 * 1024 * 1024)])
    const reply = await addPost(world, creator, [...text, ['image_file[]', { name: 'a.jpg', bytes }]])
    expect(reply.statusCode).toBe(200)
  })
})
