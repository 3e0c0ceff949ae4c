// Uploads a post through the proxy of the bench, and reads the result from the product.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { listPosts } from '#contract/posts/posts.ts'
import { openBrowser, type RunningBrowser } from './browser.ts'
import { makeFile } from './file.ts'
import { type RecordedRequest, NetworkLine } from './line.ts'
import type { Product } from './product.ts'
import { copied, openEditor, pick } from './ways.ts'

export interface Sent {
  readonly browser: RunningBrowser
  readonly line: NetworkLine
  /** SHA-256 of the picked file, hex. */
  readonly sha256: string
}

const LOOK_MS = 10

/** Polls until there is a result. */
export async function until<T>(ask: () => T | undefined, what: string, ms = 120_000): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const answer = ask()
    if (answer !== undefined) return answer
    await sleep(LOOK_MS)
  }
  throw new Error(`waited ${ms} ms for ${what}`)
}

/** The first PATCH after a moment. */
export function patchAfter(line: NetworkLine, moment: number): Promise<RecordedRequest> {
  return until(() => line.requests.find((it) => it.method === 'PATCH' && it.at > moment), 'a PATCH')
}

/** Waits until this many more bytes of uploads were sent. */
export async function more(line: NetworkLine, bytes: number): Promise<void> {
  const goal = line.bodyBytes + bytes
  await until(() => (line.bodyBytes >= goal ? true : undefined), `${bytes} more bytes`)
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
): Promise<Sent> {
  mkdirSync(folder)
  const file = join(folder, 'video.mp4')
  const sha256 = makeFile(file, size)
  const line = await NetworkLine.to(Number(new URL(product.url).port))
  const browser = await openBrowser()
  await openEditor(browser.page, line)
  await pick(browser.page, file)
  await copied(browser.page)
  line.slow(bytesPerSecond, delay)
  await browser.page.getByRole('banner').getByRole('button', { name: '投稿', exact: true }).click()
  await browser.page.waitForURL(`${line.url}/`)
  return { browser, line, sha256 }
}

/** SHA-256, hex, of the videos of the creator's posts that the bench wrote. */
export async function arrived({ url, token }: Product): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const me = (await (await fetch(`${url}/api/auth/session`, { headers })).json()) as { user: { id: string } }
  const answer = await fetch(`${url}/api/posts?author=${me.user.id}`, { headers })
  const sums: string[] = []
  for (const { access } of v.parse(listPosts.reply, await answer.json()).posts) {
    if (access.is !== 'full' || access.content !== '測定') continue
    for (const { original_url: path } of access.media) {
      if (!path) continue
      const { body } = await fetch(new URL(path, url), { headers })
      const hash = createHash('sha256')
      for await (const bytes of body ?? []) hash.update(bytes)
      sums.push(hash.digest('hex'))
    }
  }
  return sums
}
