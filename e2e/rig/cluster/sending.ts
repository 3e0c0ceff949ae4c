// A video on its way to several servers, and the server that receives it.
import { expect, type Page } from '@playwright/test'
import { until } from '#e2e/rig/network/ports.ts'
import { creator, signInByCookie } from '#e2e/rig/people/people.ts'
import { jobsOnDevice } from '#e2e/rig/posting/delivery.ts'
import { press, write } from '#e2e/rig/posting/editor.ts'
import { originals, postsWithText, waitForPost } from '#e2e/rig/posting/posts.ts'
import type { MadeVideo } from '#e2e/rig/posting/video.ts'
import { type Cluster, type ServerName, webServers } from './cluster.ts'

/** Opens the editor with a video and presses 投稿; the network takes so many seconds for the video. */
export async function startSending(
  { url, network }: Cluster,
  page: Page,
  { content, video, seconds }: { content: string; video: MadeVideo; seconds: number },
): Promise<void> {
  await signInByCookie(page, url, creator)
  await page.goto(url)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await write(page, url, { content, files: [video.path] })
  network.throttle(video.size / seconds)
  await press(page, url)
}

/** Expects one post with the picked bytes, and nothing left on the device. */
export async function expectPostedOnce(
  cluster: Cluster,
  page: Page,
  content: string,
  video: MadeVideo,
): Promise<void> {
  const { url, network } = cluster
  network.throttle(Number.POSITIVE_INFINITY)
  await cluster.passesRequests()
  const post = await waitForPost(url, content)
  await expect.poll(() => originals(url, post)).toEqual([video.sha256])
  await expect.poll(() => page.evaluate(jobsOnDevice)).toBe(0)
  await expect.poll(() => postsWithText(url, content)).toHaveLength(1)
}

/** Waits until a server receives bytes of an upload. */
export async function receivingServer(cluster: Cluster): Promise<ServerName> {
  const bytesOf = (it: ServerName) => cluster.metric(it, 'todoke_upload_received_bytes_total').catch(() => 0)
  const received = () => Promise.all(webServers.map(bytesOf))
  let before = await received()
  return until(async () => {
    const now = await received()
    const receiving = webServers.find((_, i) => (now[i] ?? 0) > (before[i] ?? 0))
    before = now
    return receiving
  }, 'a server that receives bytes')
}
