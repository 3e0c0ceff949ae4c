// Places of network addresses, read from a GeoIP database, in Japanese where available.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeFile } from '#server/testing/clients/geoip-file.ts'
import { createPlaces, type Places, PlacesUnreadable } from './geoip.ts'

const japan = { iso_code: 'JP', names: { en: 'Japan', ja: '日本', de: 'Japan' } }
const file = placeFile({
  '192.0.2.0/24': { country: japan, city: { geoname_id: 2128295, names: { en: 'Sapporo', ja: '札幌市' } } },
  '198.51.100.128/25': { country: japan },
  '203.0.113.7/32': { country: { names: { en: 'Iceland' } }, city: { names: { en: 'Reykjavík' } } },
  '203.0.113.8/32': { country: { names: { de: 'Island' } }, traits: { isp: 'x'.repeat(200) } },
  '2001:db8:1::/48': { country: japan, city: { names: { ja: '那覇市' } } },
})

let folder = ''
let places: Places
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-places-'))
  await writeFile(path.join(folder, 'city.mmdb'), file)
  places = await createPlaces(path.join(folder, 'city.mmdb'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['192.0.2.1', '日本 札幌市'],
  ['192.0.2.255', '日本 札幌市'],
  ['::ffff:192.0.2.1', '日本 札幌市'],
  ['198.51.100.200', '日本'],
  ['203.0.113.7', 'Iceland Reykjavík'],
  ['2001:db8:1:2:3::4', '日本 那覇市'],
])('%s is in %s', (ip, place) => {
  expect(places.of(ip)).toBe(place)
})

test.each([
  ['192.0.3.1', 'outside every network'],
  ['198.51.100.127', 'just outside a network'],
  ['203.0.113.8', 'without a Japanese or English name'],
  ['2001:db8:2::1', 'outside every network'],
  ['127.0.0.1', 'this machine'],
  ['::1', 'this machine'],
  ['', 'no address'],
  ['nonsense', 'no address'],
])('%s has no place: %s', (ip) => {
  expect(places.of(ip)).toBeNull()
})

test('a replaced file is read again', async () => {
  const live = path.join(folder, 'live.mmdb')
  await writeFile(live, placeFile({ '192.0.2.0/24': { country: japan } }))
  const watched = await createPlaces(live)
  expect(watched.of('192.0.2.1')).toBe('日本')
  await writeFile(`${live}.new`, file)
  await rename(`${live}.new`, live)
  await expect.poll(() => watched.of('192.0.2.1')).toBe('日本 札幌市')
})

test.each([
  ['a missing file', undefined],
  ['an empty file', Buffer.alloc(0)],
  ['a text file', Buffer.from('192.0.2.0/24,日本')],
  ['a truncated file', file.subarray(0, file.length - 60)],
])('%s is refused with one sentence', async (_what, bytes) => {
  const invalid = path.join(folder, 'invalid.mmdb')
  await rm(invalid, { force: true })
  if (bytes) await writeFile(invalid, bytes)
  const opening = createPlaces(invalid)
  await expect(opening).rejects.toBeInstanceOf(PlacesUnreadable)
  await expect(opening).rejects.toThrow(`環境変数 GEOIP_DB のファイル ${invalid} を読めません。`)
})
