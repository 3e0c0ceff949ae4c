// Stories in a real browser against the built app on a real server. One at a time: they kill things.
import { defineConfig } from '@playwright/test'
import { findChromium } from './tools/chromium.ts'

// Rigs launch their own browsers; they take the program from here.
process.env['CHROMIUM_PATH'] = findChromium()

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/rig/before.ts',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
})
