// Records the pages, errors and database log of a failed story's phones.
import type { TestInfo } from '@playwright/test'
import { globSync, readFileSync } from 'node:fs'
import type { Phone } from './browsers/phone.ts'

const TIMEOUT_MS = 5000
/** Name of the attachments that `tools/reports.ts` reads. */
const SHOWN = 'shown'
/** Longest recorded part of a message, so that many short ones do not hide behind a long one. */
const MESSAGE = 160
/** Largest number of recorded messages of one phone, the last ones. */
const MESSAGES = 10

/** Records the last errors, the database's log and each page of a phone. @param name of the phone, for its files */
export async function recordPages(phone: Phone, info: TestInfo, name: string): Promise<void> {
  // The summary of the whole run includes the attachments of this name.
  const show = (body: string) => info.attach(SHOWN, { body, contentType: 'text/plain' })
  const logged = phone.logged.slice(-MESSAGES).map((it) => it.slice(0, MESSAGE))
  if (logged.length > 0) await show([`${name}, the last warnings and errors:`, ...logged].join('\n'))
  const log = databaseLog(phone.profile)
  if (log.length > 0) await show([`${name}, log of the database:`, ...log].join('\n'))
  if (!phone.isRunning) return
  for (const [n, page] of phone.context.pages().entries()) {
    const path = info.outputPath(`${name}-page-${n + 1}.png`)
    await page.screenshot({ path, timeout: TIMEOUT_MS }).catch(() => undefined)
    const snapshot = await page
      .locator('body')
      .ariaSnapshot({ timeout: TIMEOUT_MS })
      .catch((error: unknown) => String(error))
    console.log(`${info.title}\n${name}, ${page.url()}:\n${snapshot}`)
    await show(`${name}, ${page.url()}:\n${snapshot}`)
  }
}

/**
 * What Chromium wrote about the app's database: a database that it created anew was deleted before, by an eviction or
 * because Chromium found it corrupt.
 */
function databaseLog(profile: string): string[] {
  const folder = `${profile}/Default/IndexedDB/*.leveldb`
  return ['corruption_info.json', 'LOG.old', 'LOG'].flatMap((file) =>
    globSync(`${folder}/${file}`).flatMap((path) => {
      const lines = readFileSync(path, 'utf8').replaceAll(profile, '').split('\n').filter(Boolean)
      return [`${file}:`, ...lines.slice(0, MESSAGES).map((it) => it.slice(0, MESSAGE))]
    }),
  )
}

/** Whether a story did not end with its expected status. */
export const hasFailed = (info: TestInfo): boolean => info.status !== info.expectedStatus
