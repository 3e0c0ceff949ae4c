// Fills and submits forms that change a password.
import type { Locator, Page } from '@playwright/test'

/** Presses a button of the main content. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('main').getByRole('button', { name }).click()

export const newPassword = (page: Page): Locator => page.getByLabel('新しいパスワード', { exact: true })
export const repeatedPassword = (page: Page): Locator => page.getByLabel('新しいパスワード（確認）')

/** Fills both fields with the same password. */
export async function fillNewPassword(page: Page, password: string): Promise<void> {
  await newPassword(page).fill(password)
  await repeatedPassword(page).fill(password)
}
