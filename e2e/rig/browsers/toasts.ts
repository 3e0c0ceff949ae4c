// Waits for toasts, and how long they are shown, by the page’s clock alone.
import { expect, type Locator } from '@playwright/test'

/** The part of the clock's time in which a toast appears or disappears, ms. */
const STEP_MS = 50
/** Longest transition of a toast that closes, ms. */
const LEAVING_MS = 600

/**
 * Waits for a toast. The story has installed the page's clock, which only this function moves, so that the speed of the machine
 * has no effect. @param cause leads to the toast, and waits for nothing that needs the page's timers
 */
export async function waitForToast(toast: Locator, cause: () => Promise<void>): Promise<void> {
  const page = toast.page()
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
  await cause()
  const appears = async (): Promise<number> => {
    await page.clock.runFor(STEP_MS)
    return toast.count()
  }
  await expect.poll(appears, { intervals: [STEP_MS] }).toBe(1)
}

/** Expects that a toast, which `waitForToast` has just found, closes by itself this long after it has appeared, ms. */
export async function expectToCloseAfter(toast: Locator, ms: number): Promise<void> {
  const { clock } = toast.page()
  await clock.runFor(ms - 2 * STEP_MS)
  await expect(toast).toBeVisible()
  for (let passed = 0; passed < LEAVING_MS; passed += STEP_MS) await clock.runFor(STEP_MS)
  await expect(toast).toHaveCount(0)
}
