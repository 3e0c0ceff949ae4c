// The list of missing programs, and of tests that were skipped without them.
import { expect, test } from 'vitest'
import { describeSkipped, skippedIn } from './skipped.ts'

const files: Record<string, string> = {
  '/redis.test.ts': `describe.skipIf(!redisAvailable())('nginx is only named here')`,
  '/both.test.ts': `test.skipIf(!nginxAvailable() || !redisAvailable())`,
  '/root.test.ts': `context.skip()`,
}
const units = JSON.stringify({
  testResults: [
    ['/redis.test.ts', 'passed', 'skipped', 'skipped'],
    ['/both.test.ts', 'pending'],
    ['/root.test.ts', 'skipped', 'failed'],
    ['/read-by-no-test.ts', 'passed'],
  ].map(([name, ...all]) => ({
    name,
    assertionResults: all.map((status, place) => ({ fullName: String(place), status })),
  })),
})
const story = (id: string, status: string, description?: string) => ({
  id,
  tests: [{ status, annotations: [{ type: 'skip', description }] }],
})
const stories = JSON.stringify({
  suites: [
    {
      specs: [story('a', 'expected')],
      suites: [
        {
          specs: [
            story('b', 'skipped', 'not installed here (Debian: apt-get install firefox-esr)'),
            story('c', 'skipped', 'nginx, redis-server, postgresql or ceph is not installed'),
          ],
        },
      ],
    },
  ],
})
const read = (file: string) => files[file] ?? expect.unreachable()
const skipped = [...skippedIn(units, read), ...skippedIn(stories, read)]
const missing = [
  { name: 'Redis', packages: ['redis-server'], asked: /redisAvailable/ },
  { name: 'nginx', packages: ['nginx-light'], asked: /nginxAvailable/ },
  { name: 'fonts', packages: ['fontconfig', 'fonts-noto-cjk'] },
  { name: 'Firefox', packages: ['firefox-esr'] },
]

test('each missing program has the number of skipped tests that use it, and its command', () => {
  expect(describeSkipped(skipped, missing).slice(1)).toEqual([
    '  Redis: 4 skipped; Debian: apt-get install redis-server',
    '  nginx: 2 skipped; Debian: apt-get install nginx-light',
    '  fonts: 0 skipped; Debian: apt-get install fontconfig fonts-noto-cjk',
    '  Firefox: 1 skipped; Debian: apt-get install firefox-esr',
    '  for other reasons: 1 skipped',
  ])
})

test('a machine with all programs has no list', () => {
  expect(describeSkipped(skipped, [])).toEqual([])
})
