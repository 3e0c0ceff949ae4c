// The digests that the build writes into the worker’s manifest.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addIntegrity } from './precache-integrity.ts'

test('every precached file except pages gets the SHA-256 of its bytes, and the rest of its entry is unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'integrity-'))
  writeFileSync(join(folder, 'a.js'), 'abc')
  const { manifest } = await addIntegrity(folder)([
    { url: 'a.js', revision: null, size: 3 },
    { url: 'index.html', revision: '1', size: 4 },
  ])
  rmSync(folder, { recursive: true })
  expect(manifest).toEqual([
    // The digest of "abc": the test vector of FIPS 180-2.
    {
      url: 'a.js',
      revision: null,
      size: 3,
      integrity: 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=',
    },
    { url: 'index.html', revision: '1', size: 4 },
  ])
})
