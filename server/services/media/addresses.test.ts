// Signed media addresses: files share a signature exactly where access to one implies the other.
import { expect, test } from 'vitest'
import { proofOf, type Signer, signedAddresses } from './addresses.ts'

/** A signer without a key: only the signed text matters here. */
const secrets: Signer = {
  mac: (purpose, text) => Buffer.from(`${purpose} ${text}`).toString('base64url'),
  isMac: (purpose, text, mac) => mac === Buffer.from(`${purpose} ${text}`).toString('base64url'),
}
const NOW = Date.UTC(2026, 0, 5)
const [one, other] = ['00000003-0000-7000-8000-000000000001', '00000003-0000-7000-8000-000000000002']
const viewerId = '00000001-0000-7000-8000-000000000001'

const queryOf = (address: string) => {
  const { searchParams } = new URL(address, 'http://localhost')
  return { exp: searchParams.get('exp') ?? undefined, sig: searchParams.get('sig') ?? undefined }
}

test('each media and each class of its files has its own signature, in any order of the calls', () => {
  const address = signedAddresses(secrets, viewerId, NOW)
  const files = ['w480', 'blurred', 'w960', 'original', 'w480', 'hls/main.m3u8', 'blurred']
  for (const mediaId of [one, other, one])
    for (const file of files) {
      const what = file === 'blurred' || file === 'original' ? file : 'shown'
      const given = queryOf(address(mediaId, file))
      expect(proofOf(secrets, { mediaId, what, viewerId }, given, NOW)).toBe('valid')
      const wrong = what === 'shown' ? 'original' : 'shown'
      expect(proofOf(secrets, { mediaId, what: wrong, viewerId }, given, NOW)).toBe('none')
      const elsewhere = mediaId === one ? other : one
      expect(proofOf(secrets, { mediaId: elsewhere, what, viewerId }, given, NOW)).toBe('none')
    }
})

test('a picture is signed once for all its widths', () => {
  let made = 0
  const counting: Signer = { ...secrets, mac: () => `mac-${made++}` }
  const address = signedAddresses(counting, null, NOW)
  expect(new Set(['w480', 'w960', 'w1600'].map((it) => address(one, it).split('?')[1])).size).toBe(1)
  expect(made).toBe(1)
})
