// The tests in a bare Debian with Node 20 and git.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BareDebian, bareDebianAvailable, openBareDebian } from './testing/machines/bare-debian.ts'

let debian: BareDebian

describe.skipIf(!bareDebianAvailable())('in a bare Debian 12 with Node 20, git and nothing else', () => {
  beforeAll(async () => {
    debian = await openBareDebian({ packages: ['git'], node: '20' })
  })
  afterAll(() => debian?.close())

  test('a clone runs npm ci and npm test, which lists the missing programs and then its sum', async () => {
    const clone = 'git clone --quiet file:///srv/todoke.git /srv/todoke\ncd /srv/todoke'
    const installed = await debian.run(`node --version\n${clone}\nnpm ci --no-audit --no-fund`)
    expect(installed.output).toMatch(/^v20\./)
    const tested = await debian.run('npm test')
    const lines = tested.output.trimEnd().split('\n')
    console.log(`npm ci ${installed.seconds.toFixed(0)} s, npm test ${tested.seconds.toFixed(0)} s`)
    console.log(lines.slice(-25).join('\n'))
    expect(lines.at(-1)).toMatch(/^\d+ passed, 0 failed, [1-9]\d* skipped$/)
    for (const it of ['PostgreSQL', 'ffmpeg', 'Redis', 'bubblewrap'])
      expect(lines.slice(-25).some((line) => line.startsWith(`  ${it}: `))).toBe(true)
  })
})
