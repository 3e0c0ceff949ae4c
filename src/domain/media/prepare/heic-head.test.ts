// Reads the boxes of a HEIC that decide whether heic2any can decode it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readHeicHead } from './heic-head.ts'

const readHead = (name: string) =>
  readHeicHead(readFileSync(new URL(`../../../../e2e/fixtures/heic/${name}`, import.meta.url)))

test.each([
  ['syn-p3flat.heic', { is8Bit: true, hasAlpha: false, longest: 320 }],
  ['syn-alpha.heic', { is8Bit: true, hasAlpha: true, longest: 640 }],
  ['syn-10bit.heic', { is8Bit: false, hasAlpha: false, longest: 640 }],
  ['syn-marker.heic', { is8Bit: false, hasAlpha: true, longest: 640 }],
])('%s', (name, head) => {
  expect(readHead(name)).toEqual(head)
})

test('bytes that end inside a box, or have no box, are not reported as 8 bits', () => {
  for (const text of ['', 'hvcC', 'ispe', 'ispe'.repeat(9), 'hvcC'.padEnd(21, '\0')])
    expect(readHeicHead(new TextEncoder().encode(text))).toMatchObject({ is8Bit: false })
})
