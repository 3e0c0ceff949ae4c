// Finds the Chromium that browser tests run in.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The browser for tests: CHROMIUM_PATH, else the system's, else the download of Playwright.
 * @throws Error with the command that installs one
 */
export function findChromium(): string {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (runs(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, which is not a program.`)
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runs)
  if (found) return found
  const own = chromium.executablePath()
  if (runs(own)) return own
  throw new Error(
    'No Chromium found: install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium) or set CHROMIUM_PATH.',
  )
}
