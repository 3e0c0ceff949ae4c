// Confirms who the admin is, in the sheet that sensitive actions open.
import { expect, type Page } from '@playwright/test'
import { admin } from './people.ts'

export async function confirmAdmin(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: '本人の確認' })
  await sheet.getByLabel('パスワード', { exact: true }).fill(admin.password)
  await sheet.getByLabel('パスワード', { exact: true }).press('Enter')
  await expect(sheet).toBeHidden()
}
