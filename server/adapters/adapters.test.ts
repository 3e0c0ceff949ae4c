// Adapters of files: the data folder, and recognised kinds.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compositeDigest } from '#contract/digest.ts'
import { noise, sha256 } from '#server/testing/people/members.ts'
import { fixture, heic, jpeg, svg } from '#server/testing/pictures.ts'
import { openStorage } from './files/storage.ts'
import { sniff } from './files/sniff.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-adapters-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('temporary files', () => {
  test.each([0, 1, 5 * 1024 * 1024, 5 * 1024 * 1024 + 1, 12_345_678])(
    'the composite digest of %d bytes is that of its 5 MiB leaves',
    async (length) => {
      const { scratch } = await openStorage(folder)
      const bytes = noise(length)
      const file = scratch.newPath()
      await writeFile(file, bytes)
      const leaves: Uint8Array[] = []
      for (let at = 0; at < length; at += 5 * 1024 * 1024)
        leaves.push(sha256(bytes.subarray(at, at + 5 * 1024 * 1024)))
      expect(await scratch.digestOf(file)).toBe(await compositeDigest(leaves))
    },
  )

  test('of earlier processes are removed at the next start', async () => {
    const left = (await openStorage(folder)).scratch.newPath()
    await writeFile(left, 'x')
    await openStorage(folder)
    expect(existsSync(left)).toBe(false)
  })

  test('of a shared folder are removed when they are older than a day', async () => {
    const [other, dead] = [
      (await openStorage(folder, { shared: true })).scratch,
      (await openStorage(folder, { shared: true })).scratch,
    ]
    const [has, left] = [other.newPath(), dead.newPath()]
    for (const it of [has, left]) await writeFile(it, 'x')
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
    await utimes(dead.folder, yesterday, yesterday)
    await openStorage(folder, { shared: true })
    expect([existsSync(has), existsSync(left)]).toEqual([true, false])
  })
})

describe('kinds', () => {
  const kindOf = async (bytes: Buffer) => {
    const file = path.join(folder, 'it')
    await writeFile(file, bytes)
    const found = await sniff(file)
    return found && `${found.kind} ${found.extension}`
  }

  test('are recognised by the bytes', async () => {
    expect(await kindOf(await jpeg())).toBe('image jpg')
    expect(await kindOf(fixture('anim.gif'))).toBe('image gif')
    expect(await kindOf(heic('syn-marker.heic'))).toBe('image heic')
    expect(await kindOf(fixture('h264.mp4'))).toBe('video mp4')
    expect(await kindOf(fixture('hevc-gps.mov'))).toBe('video mov')
    expect(await kindOf(svg)).toBe('image svg')
    expect(await kindOf(Buffer.from('<?xml version="1.0"?><!-- drawn --><!DOCTYPE svg><svg/>'))).toBe(
      'image svg',
    )
    expect(await kindOf(fixture('raw.hevc'))).toBe('video hevc')
    expect(await kindOf(fixture('h264.mpegts'))).toBe('video ts')
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('こんにちは')],
    ['a page with a drawing', Buffer.from('<html><body><svg></svg></body></html>')],
    ['another XML', Buffer.from('<?xml version="1.0"?><rss/>')],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xE2\xE3')],
    ['a zip', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')],
  ])('%s has no accepted kind', async (_, bytes) => {
    expect(await kindOf(bytes)).toBeUndefined()
  })
})
