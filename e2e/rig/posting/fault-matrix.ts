// Set-up of the fault matrix: one signed-in phone behind a proxy, and small videos.
import { expect, type Page } from '@playwright/test'
import { waitUntilDelivered } from './delivery.ts'
import { press, write } from './editor.ts'
import { creator, signIn } from '#e2e/rig/people/people.ts'
import { Phone } from '#e2e/rig/browsers/phone.ts'
import { temporaryFolder } from '#e2e/rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './posts.ts'
import { Proxy } from '#e2e/rig/network/proxy.ts'
import type { Server } from '#e2e/rig/network/server.ts'
import { hasFailed, recordPages } from '#e2e/rig/failed-pages.ts'
import { test as story } from '#e2e/rig/story.ts'
import { type MadeVideo, makeVideo } from './video.ts'

/** Path of an editor, and the request lines of its protocol. */
export interface ProtocolRequests {
  readonly at: string
  readonly send: string
  readonly add: string
  readonly release: string
}

export const resumable = {
  at: '/post/upload2',
  head: 'HEAD /upload-chunking-2/',
  create: 'POST /upload-chunking-2',
  send: 'PATCH|PUT /upload-chunking-2/',
  add: 'POST /api/post/add',
  release: 'POST /api/post/release-uploaded/',
} as const satisfies ProtocolRequests & Record<string, string>

export const chunked: ProtocolRequests = {
  at: '/post/upload',
  add: 'POST /api/post/add',
  send: 'POST /api/post/upload-chunking',
  release: 'POST /api/post/release-uploaded/',
}

/** Both protocols. */
export const bothProtocols: readonly ProtocolRequests[] = [resumable, chunked]

export interface MatrixSetup {
  readonly server: Server
  readonly network: Proxy
  readonly phone: Phone
  /** Three chunks. */
  readonly video: MadeVideo
  /** One small chunk, for faults that need no second chunk. */
  readonly film: MadeVideo
}

export const test = story.extend<{ matrix: MatrixSetup }, { sharedMatrix: MatrixSetup }>({
  sharedMatrix: [
    async ({ sharedServer }, provide) => {
      const network = await Proxy.open(sharedServer.port)
      const phone = await Phone.launch()
      const video = makeVideo(`${temporaryFolder('rows')}/row.mp4`, 12_000_000)
      await signIn(phone.page, network.url, creator)
      const film = makeVideo(`${temporaryFolder('rows')}/film.mp4`, 400_000)
      await provide({ server: sharedServer, network, phone, video, film })
      await phone.discard()
      await network.close()
    },
    { scope: 'worker' },
  ],
  matrix: async ({ sharedMatrix }, provide, info) => {
    await provide(sharedMatrix)
    if (hasFailed(info)) await recordPages(sharedMatrix.phone, info, 'phone')
    sharedMatrix.network.clearFaults()
  },
})

/** Writes a post with the video and presses 投稿. */
export async function publish(
  { network, phone }: MatrixSetup,
  at: string,
  content: string,
  video: MadeVideo,
): Promise<void> {
  await write(phone.page, network.url, { content, files: [video.path], at })
  await press(phone.page, network.url)
}

/** Expects that the post is published once with the picked bytes, and that the device has no jobs. */
export async function expectPublishedOnce(
  matrix: MatrixSetup,
  content: string,
  video: MadeVideo,
): Promise<void> {
  const { server } = matrix
  const post = await waitForPost(server.url, content)
  await expect.poll(() => originals(server.url, post)).toEqual([video.sha256])
  await waitUntilDelivered(matrix)
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
}

/** Opens the tray of pending posts. */
export async function openTray(page: Page): Promise<void> {
  await page.getByRole('region', { name: '送信中の投稿' }).getByRole('button').click()
}

export { expect } from '@playwright/test'
