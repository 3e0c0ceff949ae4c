// Finds the Chromium that browser tests run in.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function isExecutable(path: string): boolean {
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
  const configured = process.env['CHROMIUM_PATH']
  if (configured) {
    if (isExecutable(configured)) return configured
    throw new Error(`CHROMIUM_PATH is ${configured}, which is not a program.`)
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
  if (found) return found
  const downloaded = chromium.executablePath()
  if (isExecutable(downloaded)) return downloaded
  throw new Error(
    'No Chromium found: install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium) or set CHROMIUM_PATH.',
  )
}
