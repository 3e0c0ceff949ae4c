// Sealed files: only the sealed bytes are ever returned; changed files are refused.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiskObjects } from './disk-objects.ts'
import type { ObjectKey, ObjectPart } from './object-store.ts'
import { checkSealed, newFileKey, openSealed, SealBroken, sealFile, SEGMENT } from './sealed-files.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-seal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function sealed(bytes: Buffer, name = 'one') {
  const from = path.join(folder, 'plain')
  const to = path.join(folder, randomBytes(6).toString('hex'))
  const key = newFileKey()
  await writeFile(from, bytes)
  await sealFile(from, to, key, name)
  return { to, key }
}

/** Reads a file of the folder as an object. */
const sourceOf = (file: string) => (part: ObjectPart) =>
  createDiskObjects(folder).read(path.relative(folder, file) as ObjectKey, part)

async function read(file: string, key: Buffer, name = 'one', wanted?: ObjectPart): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of openSealed(sourceOf(file), key, name, wanted)) parts.push(part)
  return Buffer.concat(parts)
}

test.each([0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT])(
  '%d bytes are returned unchanged, and the stored file does not contain them',
  async (size) => {
    const bytes = randomBytes(size)
    const { to, key } = await sealed(bytes)
    expect((await read(to, key)).equals(bytes)).toBe(true)
    const stored = await readFile(to)
    if (size > 64) expect(stored.includes(bytes.subarray(0, 64))).toBe(false)
    expect((await stat(to)).mode & 0o777).toBe(0o600)
  },
)

test.each([
  [0, 1],
  [0, SEGMENT],
  [SEGMENT - 1, SEGMENT + 1],
  [SEGMENT, 2 * SEGMENT],
  [SEGMENT + 5, 3 * SEGMENT + 7],
  [3 * SEGMENT, 3 * SEGMENT + 10],
  [3 * SEGMENT + 9, 3 * SEGMENT + 10],
  [7, Number.POSITIVE_INFINITY],
])('bytes %d to %d are returned unchanged', async (start, end) => {
  const bytes = randomBytes(3 * SEGMENT + 10)
  const { to, key } = await sealed(bytes)
  expect((await read(to, key, 'one', { start, end })).equals(bytes.subarray(start, end))).toBe(true)
})

test('a part is refused when one of its own segments was changed, not when another was', async () => {
  const { to, key } = await sealed(randomBytes(3 * SEGMENT))
  await writeFile(to, flipped(await readFile(to), 20))
  expect((await read(to, key, 'one', { start: SEGMENT, end: 2 * SEGMENT })).length).toBe(SEGMENT)
  await expect(read(to, key, 'one', { start: 5, end: 6 })).rejects.toBeInstanceOf(SealBroken)
  // Cut after the second segment, no segment is authenticated as the last one.
  await writeFile(to, (await readFile(to)).subarray(0, 15 + 2 * (SEGMENT + 16)))
  await expect(read(to, key, 'one', { start: SEGMENT, end: 2 * SEGMENT })).rejects.toBeInstanceOf(SealBroken)
})

test('the same bytes sealed twice give different files', async () => {
  const bytes = randomBytes(1000)
  const [one, two] = [await sealed(bytes), await sealed(bytes)]
  expect((await readFile(one.to)).subarray(15)).not.toEqual((await readFile(two.to)).subarray(15))
})

describe('refused', () => {
  const size = 3 * SEGMENT + 10
  const changes: Record<string, (it: Buffer) => Buffer> = {
    'one bit of the first segment turned': (it) => flipped(it, 20),
    'one bit of the last tag turned': (it) => flipped(it, it.length - 1),
    'the nonce changed': (it) => flipped(it, 9),
    'cut at the end of a segment': (it) => it.subarray(0, 15 + 2 * (SEGMENT + 16)),
    'cut in the middle': (it) => it.subarray(0, it.length - 5),
    lengthened: (it) => Buffer.concat([it, Buffer.alloc(40)]),
    'two segments exchanged': (it) => {
      const at = (n: number) => it.subarray(15 + n * (SEGMENT + 16), 15 + (n + 1) * (SEGMENT + 16))
      return Buffer.concat([it.subarray(0, 15), at(1), at(0), it.subarray(15 + 2 * (SEGMENT + 16))])
    },
    'no sealed file at all': () => Buffer.from('JFIF and so on, long enough to be one'),
    empty: () => Buffer.alloc(0),
  }
  test.each(Object.entries(changes))('%s', async (_name, change) => {
    const { to, key } = await sealed(randomBytes(size))
    await writeFile(to, change(await readFile(to)))
    await expect(checkSealed(sourceOf(to), key, 'one')).rejects.toBeInstanceOf(SealBroken)
  })
  test('another key, and another file’s name', async () => {
    const { to, key } = await sealed(randomBytes(10))
    await expect(read(to, newFileKey())).rejects.toBeInstanceOf(SealBroken)
    await expect(read(to, key, 'two')).rejects.toBeInstanceOf(SealBroken)
  })
})

test('sealing a file that cannot be read leaves no file', async () => {
  const before = await readdir(folder)
  await expect(
    sealFile(path.join(folder, 'none'), path.join(folder, 'to'), newFileKey(), 'x'),
  ).rejects.toThrow('ENOENT')
  expect(await readdir(folder)).toEqual(before)
})

function flipped(bytes: Buffer, at: number): Buffer {
  const other = Buffer.from(bytes)
  other[at] = (other[at] ?? 0) ^ 1
  return other
}
