// What a failed story leaves behind: a picture of every page that was open, and what stood on it in the log itself.
import type { TestInfo } from '@playwright/test'
import type { Phone } from './browsers/phone.ts'

const AT_MOST_MS = 5000
/** Name of the attachments that `tools/reports.ts` reads. */
const SHOWN = 'shown'

/** @param name of the phone, for its files */
export async function recordPages(phone: Phone, info: TestInfo, name: string): Promise<void> {
  if (!phone.isRunning) return
  for (const [n, page] of phone.context.pages().entries()) {
    const path = info.outputPath(`${name}-page-${n + 1}.png`)
    await page.screenshot({ path, timeout: AT_MOST_MS }).catch(() => undefined)
    const stood = await page
      .locator('body')
      .ariaSnapshot({ timeout: AT_MOST_MS })
      .catch((error: unknown) => String(error))
    console.log(`${info.title}\n${name}, ${page.url()}:\n${stood}`)
    // The summary of the whole run repeats it.
    await info.attach(SHOWN, { body: `${name}, ${page.url()}:\n${stood}`, contentType: 'text/plain' })
  }
}

/** Whether a story ended otherwise than it should have. */
export const hasFailed = (info: TestInfo): boolean => info.status !== info.expectedStatus
