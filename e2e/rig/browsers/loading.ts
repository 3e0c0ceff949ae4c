// Pages that have loaded what they show.
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'

/** Opens a page, and waits until it shows content in place of its placeholders (`src/ui/states/skeleton.tsx`), with its pictures. */
export async function openLoaded(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('main').waitFor()
  await expect(page.locator('.animate-breathe')).toHaveCount(0)
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.images]
          .filter((it) => it.loading !== 'lazy' && !it.complete)
          .map((it) => it.currentSrc || it.src),
      ),
    )
    .toEqual([])
}
