// Uploads a large video, and checks the published post.
import { expect } from '@playwright/test'
import { press, write } from './editor.ts'
import type { Phone } from '#e2e/rig/browsers/phone.ts'
import { creator, signInByCookie } from '#e2e/rig/people/people.ts'
import { until } from '#e2e/rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './posts.ts'
import type { Proxy } from '#e2e/rig/network/proxy.ts'
import type { Server } from '#e2e/rig/network/server.ts'
import type { MadeVideo } from './video.ts'

export interface LargeUpload {
  readonly server: Server
  readonly network: Proxy
  readonly phone: Phone
  readonly largeVideo: MadeVideo
}

/**
 * Signs in, writes a post with the large video, presses 投稿, and waits until part of it was sent.
 * @param share of the video that must have been sent, 0..1
 * @param at the editor's address
 */
export async function sendPart(it: LargeUpload, content: string, share = 0.3, at?: string): Promise<void> {
  const { phone, network, largeVideo } = it
  await signInByCookie(phone.page, network.url, creator)
  // Slow enough that the upload is not finished when the story causes a fault.
  network.throttle(largeVideo.size / 5)
  const before = network.bytesSent
  await write(phone.page, network.url, { content, files: [largeVideo.path], ...(at ? { at } : {}) })
  await press(phone.page, network.url)
  await until(
    async () => (network.bytesSent - before > largeVideo.size * share ? true : undefined),
    'part of the video to be sent',
  )
}

/** Expects that the post is published once, with the picked bytes, also after all jobs have ended. */
export async function expectPublishedOnce(it: LargeUpload, content: string): Promise<void> {
  const post = await waitForPost(it.server.url, content)
  await expect.poll(() => originals(it.server.url, post)).toEqual([it.largeVideo.sha256])
  await waitUntilDelivered(it)
  await expect.poll(() => postsWithText(it.server.url, content)).toHaveLength(1)
}

/** Waits until the device has no jobs: a second post would have been published by then. */
export async function waitUntilDelivered({ phone }: Pick<LargeUpload, 'phone'>): Promise<void> {
  await expect.poll(() => phone.page.evaluate(jobsOnDevice), { message: 'jobs left on the device' }).toBe(0)
}

/**
 * Waits until no queue of files runs on the device: the lock of its runner is free. Whatever it would have sent or shown
 * for the jobs that are left is done by then.
 */
export async function waitUntilQueueRests({ phone }: Pick<LargeUpload, 'phone'>): Promise<void> {
  const isRunning = () =>
    phone.page.evaluate(async () =>
      (await navigator.locks.query()).held?.some((it) => it.name === 'todoke-drain'),
    )
  await expect.poll(isRunning, { message: 'whether the queue runs' }).toBe(false)
}

/** Runs in the page: counts the jobs on the device. */
export async function jobsOnDevice(): Promise<number> {
  const database = await new Promise<IDBDatabase>((done, failed) => {
    const opening = indexedDB.open('todoke')
    opening.addEventListener('success', () => done(opening.result))
    opening.addEventListener('error', () => failed(opening.error ?? new Error('the database does not open')))
  })
  try {
    return await new Promise<number>((done) => {
      const counting = database.transaction('jobs').objectStore('jobs').count()
      counting.addEventListener('success', () => done(counting.result))
    })
  } finally {
    database.close()
  }
}
