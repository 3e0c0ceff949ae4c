// The report of a real run of vitest, with an error that no test caught.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedVitest, readVitest } from './reports.ts'
import { run } from './run.ts'

test('an error that no test caught stands in the report beside the failed test', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-vitest-'))
  try {
    writeFileSync(
      join(folder, 'a.test.js'),
      `test('throws later', async () => {
         void Promise.reject(new Error('the store is gone'))
         await new Promise((done) => setImmediate(done))
       })
       test('adds', () => expect(1).toBe(2))`,
    )
    const report = join(folder, 'report.json')
    const reporter = join(import.meta.dirname, 'whole-report.ts')
    const options = ['--globals', `--reporter=${reporter}`, `--outputFile.json=${report}`]
    const { code } = await run(['vitest', 'run', '--root', folder, ...options])
    const text = readFileSync(report, 'utf8')
    expect(code).toBe(1)
    expect(readVitest(text)).toEqual({ passed: 1, failed: 2, skipped: 0 })
    expect(failedVitest(text).map((it) => it.name)).toEqual([
      expect.stringContaining('a.test.js › adds'),
      'an error that no test caught',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
