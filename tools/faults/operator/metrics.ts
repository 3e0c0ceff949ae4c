// Planted faults in metrics and in the refusal of requests while the server is late.
import type { Fault } from '../fault.ts'

const scrapes = ['server/modules/metrics/metrics.test.ts']
const requests = ['server/adapters/s3/recorded.test.ts']
const overload = ['server/modules/metrics/overload.test.ts']

export const metricsFaults: readonly Fault[] = [
  {
    name: 'paths that clients choose become labels of metrics',
    file: 'server/modules/machine/measure-requests.ts',
    find: 'const [route, ms] = [routeOptions.url, reply.elapsedTime]',
    replace: 'const [route, ms] = [routeOptions.url && request.url, reply.elapsedTime]',
    tests: scrapes,
    caughtBy: 'has no id, path or person',
  },
  {
    name: 'metrics need no token',
    file: 'server/modules/metrics/scrape.ts',
    find: "token === '' || isSameSecret(authorization ?? '', `Bearer ${token}`)",
    replace: "token === '' || authorization !== token",
    tests: scrapes,
    caughtBy: 'is for the token alone',
  },
  {
    name: 'a repeated release counts as a released post',
    file: 'server/modules/posts/release.ts',
    find: 'if (released.fresh) metrics.released()',
    replace: 'if (released.releasedAt) metrics.released()',
    tests: scrapes,
    caughtBy: 'counts posts once',
  },
  {
    name: 'jobs of later make a queue old',
    file: 'server/store/operated-jobs.ts',
    find: 'min(start_after) filter (where start_after <= now())',
    replace: 'min(created_on)',
    tests: scrapes,
    caughtBy: 'has jobs, payments and uploads',
  },
  {
    name: 'each scrape begins a reading of a database that hangs',
    file: 'server/modules/metrics/database-readings.ts',
    find: 'running ??= begin()',
    replace: 'running = begin()',
    tests: ['server/modules/metrics/database-readings.test.ts'],
    caughtBy: 'not begun again',
  },
  {
    name: 'one long turn of the event loop is an overload',
    file: 'server/adapters/lateness.ts',
    find: 'Math.min(...seconds)',
    replace: 'Math.max(...seconds)',
    tests: ['server/adapters/lateness.test.ts'],
    caughtBy: 'once two seconds in a row are late',
  },
  {
    name: 'an overloaded server refuses to tell its health',
    file: 'server/modules/metrics/overload.ts',
    find: 'isHealthUrl(url) || ',
    replace: '',
    tests: overload,
    caughtBy: 'health, metrics, the app and notices',
  },
  {
    name: 'an overloaded server refuses notices of payments',
    file: 'server/modules/metrics/overload.ts',
    find: ' || url.startsWith(`${PAYMENT_NOTICES_PATH}/`)',
    replace: '',
    tests: overload,
    caughtBy: 'health, metrics, the app and notices',
  },
  {
    name: 'objects that do not exist count as failures of the store',
    file: 'server/adapters/s3/recorded.ts',
    find: "(status === 404 && name !== 'NoSuchBucket') || ",
    replace: '',
    tests: requests,
    caughtBy: 'are done, or find nothing',
  },
  {
    name: 'repeated requests to the object store are counted as one more than they are',
    file: 'server/adapters/s3/recorded.ts',
    find: '($metadata?.attempts ?? 1) - 1',
    replace: '$metadata?.attempts ?? 1',
    tests: requests,
    caughtBy: 'count their tries',
  },
]
