// Submits a post through the recording proxy, and reads its files from the product.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { listPosts } from '#contract/posts/posts.ts'
import { openBrowser, type RunningBrowser } from './browser.ts'
import { makeFile } from './file.ts'
import { type RecordedRequest, RecordingProxy } from './recording-proxy.ts'
import type { Product } from './product.ts'
import { openEditor, pick, waitUntilCopied } from './upload-methods.ts'

export interface SubmittedUpload {
  readonly browser: RunningBrowser
  readonly proxy: RecordingProxy
  /** SHA-256 of the picked file, hex. */
  readonly sha256: string
}

const POLL_MS = 10

/** Polls until there is a result. */
export async function poll<T>(read: () => T | undefined, what: string, ms = 120_000): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const result = read()
    if (result !== undefined) return result
    await sleep(POLL_MS)
  }
  throw new Error(`waited ${ms} ms for ${what}`)
}

/** Whether a request has bytes of an upload. */
export const hasBytes = ({ method, path }: RecordedRequest): boolean =>
  (method === 'PATCH' || method === 'PUT') && path.startsWith('/upload-chunking-2/')

/** The first request with bytes of an upload after a moment. */
export function bytesAfter(proxy: RecordingProxy, moment: number): Promise<RecordedRequest> {
  return poll(() => proxy.requests.find((it) => hasBytes(it) && it.at > moment), 'bytes of an upload')
}

/** Waits until this many more bytes of uploads were sent. */
export async function waitForBytes(proxy: RecordingProxy, bytes: number): Promise<void> {
  const goal = proxy.bodyBytes + bytes
  await poll(() => (proxy.bodyBytes >= goal ? true : undefined), `${bytes} more bytes`)
}

/**
 * Signs in, copies a file of this size to the device and presses 投稿.
 * @param bytesPerSecond bandwidth of the connection after the press
 * @param delay delay of the replies, ms
 */
export async function submitFile(
  product: Product,
  folder: string,
  size: number,
  bytesPerSecond: number,
  delay = 0,
): Promise<SubmittedUpload> {
  mkdirSync(folder)
  const file = join(folder, 'video.mp4')
  const sha256 = makeFile(file, size)
  const proxy = await RecordingProxy.to(Number(new URL(product.url).port))
  const browser = await openBrowser()
  await openEditor(browser.page, proxy)
  await pick(browser.page, file)
  await waitUntilCopied(browser.page)
  proxy.slow(bytesPerSecond, delay)
  await browser.page.getByRole('banner').getByRole('button', { name: '投稿', exact: true }).click()
  await browser.page.waitForURL(`${proxy.url}/`)
  return { browser, proxy, sha256 }
}

/** SHA-256, hex, of the videos of the creator's posts that the bench wrote. */
export async function publishedDigests({ url, token }: Product): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const me = (await (await fetch(`${url}/api/auth/session`, { headers })).json()) as { user: { id: string } }
  const answer = await fetch(`${url}/api/posts?author=${me.user.id}`, { headers })
  const digests: string[] = []
  for (const { access } of v.parse(listPosts.reply, await answer.json()).posts) {
    if (access.is !== 'full' || access.content !== '測定') continue
    for (const { original_url: path } of access.media) {
      if (!path) continue
      const { body } = await fetch(new URL(path, url), { headers })
      const hash = createHash('sha256')
      for await (const bytes of body ?? []) hash.update(bytes)
      digests.push(hash.digest('hex'))
    }
  }
  return digests
}
