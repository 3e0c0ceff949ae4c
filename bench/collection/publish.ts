// Publishes one file in the editor, and receives what was made of it.
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { pick } from '#bench/rig/upload-methods.ts'
import type { Product } from '#bench/rig/product.ts'
import type { MediaView } from '#contract/posts/media.ts'
import { listPosts } from '#contract/posts/posts.ts'

export type Outcome =
  /** `bytes`: the largest copy of a picture, or the film. */
  | { readonly is: 'published'; readonly media: MediaView; readonly bytes: Buffer }
  /** The editor or the queue does not take it; `why` as the page says it. */
  | { readonly is: 'refused'; readonly why: string }
  /** The server took it and cannot show it; `why` is its code. */
  | { readonly is: 'failed'; readonly why: string }

/** How long the server may take to convert a file, ms. */
const PATIENCE = 300_000
const POLL_MS = 500

let posts = 0

/** Publishes a file as a post of its own. */
export async function publish(page: Page, product: Product, file: string): Promise<Outcome> {
  const text = `収集 ${(posts += 1)}`
  await page.goto(`${product.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill(text)
  await page.getByRole('switch', { name: '書いている間にファイルを送信' }).setChecked(false)
  await pick(page, file)
  const alert = page.getByRole('main').getByRole('alert').filter({ hasText: /\S/ })
  const tile = page.getByRole('button', { name: /を外す$/ })
  await tile.or(alert).first().waitFor({ timeout: 60_000 })
  await page
    .getByRole('progressbar', { name: /この端末に保存中$/ })
    .waitFor({ state: 'detached', timeout: 120_000 })
  if (!(await tile.isVisible())) return { is: 'refused', why: await alert.first().innerText() }
  await page.getByRole('banner').getByRole('button', { name: '投稿', exact: true }).click()
  const left = page.waitForURL(`${product.url}/`, { timeout: 30_000 }).then(
    () => true,
    () => false,
  )
  if (!(await left)) {
    const why = await page.getByRole('main').getByRole('alert').allInnerTexts()
    // The draft would be opened again with the next file.
    await tile.click()
    await tile.waitFor({ state: 'detached' })
    return { is: 'refused', why: why.join(' ').trim() }
  }
  return received(page, product, text)
}

/** Waits until the post is released and its file is converted. */
async function received(page: Page, { url, token, creatorId }: Product, text: string): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}` }
  const failed = page.getByText('送信できませんでした')
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const reply = await fetch(`${url}/api/posts?author=${creatorId}`, { headers })
    const { posts: found } = v.parse(listPosts.reply, await reply.json())
    const media = found.flatMap(({ access }) =>
      access.is === 'full' && access.content === text ? access.media : [],
    )[0]
    if (media?.state === 'failed') return { is: 'failed', why: media.failure ?? 'unknown' }
    if (media?.state === 'ready') {
      const path = media.kind === 'video' ? media.src : media.sources.at(-1)?.src
      const file = await fetch(new URL(path ?? '', url), { headers })
      return { is: 'published', media, bytes: Buffer.from(await file.arrayBuffer()) }
    }
    if (!media && (await failed.first().isVisible()))
      return { is: 'refused', why: await page.getByRole('main').innerText() }
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
  return { is: 'failed', why: 'not converted in time' }
}
