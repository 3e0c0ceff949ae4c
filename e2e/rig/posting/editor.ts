// Writes and submits a post in the editor.
import { expect, type Locator, type Page } from '@playwright/test'

interface Writing {
  readonly content: string
  readonly files?: string[]
  /** The editor's address. */
  readonly at?: string
  /** Whether files are uploaded while the post is written, which is the default of the app. */
  readonly preupload?: boolean
}

/** The switch for uploading files while the post is written. */
export function preuploadSwitch(page: Page): Locator {
  return page.getByRole('switch', { name: '書いている間にファイルを送信' })
}

/** The button 投稿 in the header. */
export function postButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: '投稿', exact: true })
}

/**
 * Opens the editor and fills it, until the picked files are in the draft. By default files are not uploaded before
 * 投稿 is pressed, so that faults affect their upload.
 */
export async function write(
  page: Page,
  url: string,
  { content, files = [], at = '/post/upload2', preupload = false }: Writing,
): Promise<void> {
  await page.goto(`${url}${at}`)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  if (at === '/post/upload2') await preuploadSwitch(page).setChecked(preupload)
  if (files.length > 0) await page.getByLabel('画像・動画を追加').setInputFiles(files)
  await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(files.length)
}

/** Presses 投稿 and waits until the home page is shown. */
export async function press(page: Page, url: string): Promise<void> {
  await postButton(page).click()
  await expect(page).toHaveURL(`${url}/`)
}

/** Expects that the open editor's person has no draft: an editor that still reads the device is empty as well. */
export async function expectNoDrafts(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^下書き/ }).click()
  await expect(page.getByRole('dialog').getByText('下書きはありません')).toBeVisible()
}

/** Waits until every picked file is stored, so that its page may be closed. */
export async function waitUntilStored(page: Page): Promise<void> {
  await expect(page.getByRole('progressbar', { name: /この端末に保存中$/ })).toHaveCount(0)
}
