// Writing a post as a person does.
import { expect, type Locator, type Page } from '@playwright/test'

interface Writing {
  readonly content: string
  readonly files?: string[]
  /** The editor's address. */
  readonly at?: string
  /** Files go up while the post is written, as they do unless the person turns that off. */
  readonly preupload?: boolean
}

/** The switch that lets files go up while the post is written. */
export function preuploadSwitch(page: Page): Locator {
  return page.getByRole('switch', { name: '書いている間にファイルを送信' })
}

/** The red pill in the header. */
export function postButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: '投稿', exact: true })
}

/**
 * Opens the editor and fills it; picked files are on the device when this ends. Unless a story wants them to,
 * they wait for 投稿: a fault then meets them on their way.
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

/** Waits until every picked file is on the device: from then on its page may go. */
export async function stored(page: Page): Promise<void> {
  await expect(page.getByRole('progressbar', { name: /この端末に保存中$/ })).toHaveCount(0, {
    timeout: 180_000,
  })
}
