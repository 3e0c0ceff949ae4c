// The fixtures of /dev/media: each row of docs/media.md that can be seen has one.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { recognise } from '#contract/kinds/recognise.ts'
import { isInstalled } from '#server/testing/programs.ts'
import { sampleOf } from '#server/testing/sample.ts'
import { MAX_FIXTURE_BYTES } from './fixture.ts'
import { filmFixtures } from './films.ts'
import { makeFixture, mediaFixtures, unseenRows } from './list.ts'
import { pictureFixtures } from './pictures.ts'

/** First cells of both tables of docs/media.md, without their headings. */
function rowsOfDocs(): string[] {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/media.md'), 'utf8')
  const [tables = ''] = page.split('## Files of public collections')
  const cells = [...tables.matchAll(/^\| ([^|]+?) \|/gm)].flatMap((it) => it[1] ?? [])
  return cells.filter((it) => !/^(-+|what the (container|file) says)$/.test(it))
}

const kindOf = async (bytes: Buffer) => (await recognise(new Blob([new Uint8Array(bytes)])))?.kind

const shown = new Set(mediaFixtures.flatMap((it) => it.row ?? []))

test('each row of docs/media.md has a fixture, or a reason why no view shows it', () => {
  const rows = rowsOfDocs()
  expect(rows.length).toBeGreaterThan(25)
  expect(rows.filter((it) => !shown.has(it) && !(it in unseenRows))).toEqual([])
})

test('fixtures and reasons name rows of docs/media.md alone, and no row has both', () => {
  const rows = new Set(rowsOfDocs())
  expect([...shown, ...Object.keys(unseenRows)].filter((it) => !rows.has(it))).toEqual([])
  expect(Object.keys(unseenRows).filter((it) => shown.has(it))).toEqual([])
})

test('each fixture has a file name of its own', () => {
  expect(new Set(mediaFixtures.map((it) => it.file)).size).toBe(mediaFixtures.length)
})

test.each(pictureFixtures)('$file is a small picture', async (fixture) => {
  const bytes = await makeFixture(fixture)
  expect(bytes.length).toBeLessThan(MAX_FIXTURE_BYTES)
  expect(await kindOf(bytes)).toBe('image')
})

test('pictures with an orientation are alike for a viewer who applies it', async () => {
  const upright = await Promise.all(
    pictureFixtures
      .filter((it) => it.file.startsWith('orientation-'))
      .map(async (it) =>
        sharp(await makeFixture(it))
          .autoOrient()
          .resize(4, 4, { fit: 'fill' })
          .raw()
          .toBuffer(),
      ),
  )
  expect(upright).toHaveLength(8)
  for (const pixels of upright)
    for (const [i, value] of pixels.entries())
      expect(Math.abs(value - (upright[0]?.[i] ?? 0))).toBeLessThan(12)
})

describe.runIf(isInstalled('ffmpeg'))('of films', () => {
  test.each(sampleOf(filmFixtures, 4))('$file is a small film', async (fixture) => {
    const bytes = await makeFixture(fixture)
    expect(bytes.length).toBeLessThan(MAX_FIXTURE_BYTES)
    expect(await kindOf(bytes)).toBe('video')
  })
})
