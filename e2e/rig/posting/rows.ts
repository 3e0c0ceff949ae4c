// The ground of the fault matrix: one signed-in phone behind one network, and a small video for each row.
import { expect, type Page } from '@playwright/test'
import { waitUntilDelivered } from './delivery.ts'
import { press, write } from './editor.ts'
import { creator, signIn } from '#e2e/rig/people/people.ts'
import { Phone } from '#e2e/rig/browsers/phone.ts'
import { temporaryFolder } from '#e2e/rig/network/ports.ts'
import { arrival, originals, postsSaying } from './posts.ts'
import { Proxy } from '#e2e/rig/network/proxy.ts'
import type { Server } from '#e2e/rig/network/server.ts'
import { hasFailed, recordPages } from '#e2e/rig/failed-pages.ts'
import { test as story } from '#e2e/rig/story.ts'
import { type MadeVideo, makeVideo } from './video.ts'

/** An editor's address, and how the requests of its protocol begin. */
export interface Route {
  readonly at: string
  readonly send: string
  readonly add: string
  readonly release: string
}

export const resumable = {
  at: '/post/upload2',
  ask: 'HEAD /upload-chunking-2/',
  create: 'POST /upload-chunking-2',
  send: 'PATCH /upload-chunking-2/',
  add: 'POST /api/post/add',
  release: 'POST /api/post/release-uploaded/',
} as const satisfies Route & Record<string, string>

export const chunked: Route = {
  at: '/post/upload',
  add: 'POST /api/post/add',
  send: 'POST /api/post/upload-chunking',
  release: 'POST /api/post/release-uploaded/',
}

/** Both protocols. */
export const bothRoutes: readonly Route[] = [resumable, chunked]

export interface MatrixSetup {
  readonly server: Server
  readonly network: Proxy
  readonly phone: Phone
  /** Three chunks. */
  readonly video: MadeVideo
  /** One small chunk, for rows whose fault lies elsewhere. */
  readonly film: MadeVideo
}

export const test = story.extend<{ ground: MatrixSetup }, { shared: MatrixSetup }>({
  shared: [
    async ({ sharedServer }, provide) => {
      const network = await Proxy.to(sharedServer.port)
      const phone = await Phone.on()
      const video = makeVideo(`${temporaryFolder('rows')}/row.mp4`, 12_000_000)
      await signIn(phone.page, network.url, creator)
      const film = makeVideo(`${temporaryFolder('rows')}/film.mp4`, 400_000)
      await provide({ server: sharedServer, network, phone, video, film })
      await phone.discard()
      await network.close()
    },
    { scope: 'worker' },
  ],
  ground: async ({ shared }, provide, info) => {
    await provide(shared)
    if (hasFailed(info)) await recordPages(shared.phone, info, 'phone')
    shared.network.calm()
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

/** The post is there once with the picked bytes, and the phone has nothing left to deliver. */
export async function expectPublishedOnce(
  ground: MatrixSetup,
  content: string,
  video: MadeVideo,
): Promise<void> {
  const { server } = ground
  const post = await arrival(server.url, content)
  expect(await originals(server.url, post)).toEqual([video.sha256])
  await waitUntilDelivered(ground)
  expect(await postsSaying(server.url, content)).toHaveLength(1)
}

/** Opens the list of posts on their way. */
export async function openTray(page: Page): Promise<void> {
  await page.getByRole('region', { name: '送信中の投稿' }).getByRole('button').click()
}

export { expect } from '@playwright/test'
