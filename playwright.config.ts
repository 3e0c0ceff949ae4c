// Configures the stories in a real browser against the built app on a real server.
import './tools/testing/node-version.ts'
import { defineConfig } from '@playwright/test'
import { DEADLINE_MS } from './e2e/rig/deadline.ts'
import { findChromium } from './tools/chromium.ts'

// Rigs launch their own browsers; they take the program from here.
process.env['CHROMIUM_PATH'] = findChromium()

export default defineConfig({
  testDir: 'e2e',
  // Rows of a matrix beside those that show each meaning once run in `npm run test:deep`.
  ...(process.env['STORIES'] === 'whole' ? {} : { grepInvert: /@deep/ }),
  globalSetup: ['./tools/runs/set-up.ts', './e2e/rig/global-setup.ts'],
  // Three keep two cores about 90 % busy; a fourth saved no time (docs/test-time.md).
  workers: 3,
  // They end what hangs. How fast a busy machine is decides nothing.
  timeout: 8 * DEADLINE_MS,
  expect: { timeout: DEADLINE_MS },
  reporter: [['list']],
  projects: [
    // One after the other on one cluster: they begin first, so that no worker waits for them at the end.
    { name: 'cluster', testMatch: 'cluster.spec.ts' },
    { name: 'stories', testIgnore: 'cluster.spec.ts' },
  ],
})
