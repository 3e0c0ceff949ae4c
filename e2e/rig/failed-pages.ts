// Records the open pages of a failed story as screenshots and as text.
import type { TestInfo } from '@playwright/test'
import type { Phone } from './browsers/phone.ts'

const TIMEOUT_MS = 5000
/** Name of the attachments that `tools/reports.ts` reads. */
const SHOWN = 'shown'

/** Records the last errors and each page of a phone. @param name of the phone, for its files */
export async function recordPages(phone: Phone, info: TestInfo, name: string): Promise<void> {
  // The summary of the whole run includes the attachments of this name.
  const body = [`${name}, warnings and errors:`, ...phone.logged].join('\n')
  if (phone.logged.length > 0) await info.attach(SHOWN, { body, contentType: 'text/plain' })
  if (!phone.isRunning) return
  for (const [n, page] of phone.context.pages().entries()) {
    const path = info.outputPath(`${name}-page-${n + 1}.png`)
    await page.screenshot({ path, timeout: TIMEOUT_MS }).catch(() => undefined)
    const snapshot = await page
      .locator('body')
      .ariaSnapshot({ timeout: TIMEOUT_MS })
      .catch((error: unknown) => String(error))
    console.log(`${info.title}\n${name}, ${page.url()}:\n${snapshot}`)
    await info.attach(SHOWN, { body: `${name}, ${page.url()}:\n${snapshot}`, contentType: 'text/plain' })
  }
}

/** Whether a story did not end with its expected status. */
export const hasFailed = (info: TestInfo): boolean => info.status !== info.expectedStatus
