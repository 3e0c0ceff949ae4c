// Writing a post as a person does.
import { expect, type Locator, type Page } from '@playwright/test'

interface Writing {
  readonly content: string
  readonly files?: string[]
  /** The editor's address. */
  readonly at?: string
}

/** The red pill in the header. */
export function postButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: '投稿', exact: true })
}

/** Opens the editor and fills it; picked files are on the device when this ends. */
export async function write(
  page: Page,
  url: string,
  { content, files = [], at = '/post/upload2' }: Writing,
): Promise<void> {
  await page.goto(`${url}${at}`)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  if (files.length > 0) await page.getByLabel('画像・動画を追加').setInputFiles(files)
  await expect(page.getByRole('button', { name: /を取り除く$/ })).toHaveCount(files.length)
}

/** Presses 投稿 and waits until the home page stands there. */
export async function press(page: Page, url: string): Promise<void> {
  await postButton(page).click()
  await expect(page).toHaveURL(`${url}/`)
}
