// Where an address is: read out of a real place database, in Japanese where it is known.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
  ['198.51.100.127', 'beside one'],
  ['203.0.113.8', 'known in no language of ours'],
  ['2001:db8:2::1', 'outside every network'],
  ['127.0.0.1', 'this machine'],
  ['::1', 'this machine'],
  ['', 'no address'],
  ['nonsense', 'no address'],
])('nothing is said of %s: %s', (ip) => {
  expect(places.of(ip)).toBeNull()
})

test('a newer file in its place is taken over by itself', async () => {
  const live = path.join(folder, 'live.mmdb')
  await writeFile(live, placeFile({ '192.0.2.0/24': { country: japan } }))
  const followed = await createPlaces(live)
  expect(followed.of('192.0.2.1')).toBe('日本')
  await writeFile(`${live}.new`, file)
  await rename(`${live}.new`, live)
  await vi.waitFor(() => expect(followed.of('192.0.2.1')).toBe('日本 札幌市'), {
    timeout: 15_000,
    interval: 50,
  })
})

test.each([
  ['one that is not there', undefined],
  ['an empty one', Buffer.alloc(0)],
  ['a text', Buffer.from('192.0.2.0/24,日本')],
  ['one that was cut', file.subarray(0, file.length - 60)],
])('a file that is none (%s) is told in one sentence', async (_what, bytes) => {
  const none = path.join(folder, 'none.mmdb')
  await rm(none, { force: true })
  if (bytes) await writeFile(none, bytes)
  const opening = createPlaces(none)
  await expect(opening).rejects.toBeInstanceOf(PlacesUnreadable)
  await expect(opening).rejects.toThrow(`環境変数 GEOIP_DB のファイル ${none} を読めません。`)
})
