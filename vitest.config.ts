// Projects of vitest: unit tests, simulations of the queue, and tests that take hours.
import './tools/testing/node-version.ts'
import { defineConfig } from 'vitest/config'
import { nginxAvailable } from './server/testing/clients/nginx.ts'
import { postgresAvailable } from './server/testing/postgres.ts'
import { redisAvailable } from './server/testing/redis.ts'
import { cephInstalled } from './server/testing/s3/ceph.ts'
import { LongFilesFirst } from './tools/testing/order.ts'

// They end what hangs. How fast a busy machine is decides nothing.
const timeouts = {
  testTimeout: 180_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
}
/** Makes each command one run, whose processes and files end with it. */
const run = 'tools/runs/set-up.ts'
/** What runs before all tests: the cluster is in the folder of the run. */
const globalSetup = [run, 'server/testing/cluster.ts']
/** Tests of code that lives as long as its page: its timers and listeners have no end of their own. */
const pages = 'src/**/*.page.test.ts'
/**
 * Tests that start and kill whole servers, clusters and moves, which takes long. `npm test` leaves them out
 * (`npm run test:deep -- units`); their subjects have shorter tests beside them.
 */
const long = '**/*.long.test.ts'
/** The access table, which also runs through nginx, on two servers with the other parts of a cluster. */
const onServers = ['server/modules/media/access-table.test.ts']
/** Tests of uploads, which run once with the bytes on the disk and once with the bytes in an object store. */
const onBothStores = [
  'server/modules/uploads/{claims,documents,expiry,network,parts,parts-histories,patch,protocol,removed}.test.ts',
  'server/modules/identity/earlier-uploads.test.ts',
  'server/modules/posts/{chunks,release}.test.ts',
  'server/lost-commit.test.ts',
]

/** Tests of payments, which run once with each sandbox: a sample in `npm test`, and all of them in the whole run. */
const onBothSandboxes =
  process.env['UNITS'] === 'whole'
    ? [
        'server/modules/payments/{begin,earlier-provider,effects,history,notices,payments,receipts,reconcile}.test.ts',
        'server/modules/payment-sandbox/*.test.ts',
        'server/modules/{adjustments,memberships,plans,sales}/*.test.ts',
        'server/modules/leaving/memberships.test.ts',
      ]
    : ['server/modules/payments/payments.test.ts', 'server/modules/payment-sandbox/recurring.test.ts']

export default defineConfig({
  test: {
    // Much of a test is waiting for a database or a child process: as many workers as processors would leave a part of a small machine idle.
    maxWorkers: 3,
    // Files share what they import: reading and compiling the server anew for each took longer than most of them do.
    // Whatever a file changes outside its own worlds it puts back.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup,
          include: ['{contract,device,sw,src,server,tools,bench}/**/*.test.ts'],
          exclude: [pages, long],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'unit-s3',
          globalSetup,
          include: cephInstalled() ? onBothStores : [],
          env: { OBJECTS: 's3' },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'unit-hosted',
          globalSetup,
          include: onBothSandboxes,
          exclude: ['server/modules/memberships/provider-tasks.test.ts'],
          env: { PAYMENTS: 'hosted-sandbox' },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'unit-servers',
          globalSetup,
          include:
            cephInstalled() && nginxAvailable() && redisAvailable() && postgresAvailable() ? onServers : [],
          env: { SERVERS: 'several' },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'unit-long',
          globalSetup,
          include: [`server/${long}`],
          ...timeouts,
        },
      },
      { test: { name: 'unit-pages', globalSetup: run, include: [pages], isolate: true, ...timeouts } },
      {
        test: {
          name: 'deep',
          globalSetup: run,
          include: ['server/**/*.deep.ts'],
          testTimeout: 24 * 3600_000,
          hookTimeout: 3_600_000,
        },
      },
      {
        test: {
          name: 'sim',
          globalSetup,
          include: ['{sw,server}/**/*.sim.ts'],
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
          // Each story makes whole browsers and drops them: room for young objects halves its time.
          execArgv: ['--max-semi-space-size=128'],
        },
      },
    ],
  },
})
