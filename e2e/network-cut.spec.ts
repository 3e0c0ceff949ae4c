// The network is lost during an upload.
import { RETRY_DELAYS } from '#contract/limits.ts'
import { rowsIn } from './rig/cached.ts'
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { expect, test } from './rig/story.ts'

test(
  'after the first attempts without network have failed, the video continues and is posted once',
  { tag: '@deep' },
  async ({ server, network, phone, largeVideo }) => {
    const it = { server, network, phone, largeVideo }
    await sendPart(it, 'トンネルに入っても届く')
    network.cut()
    await phone.context.setOffline(true)
    const haveFailed = async () =>
      (await rowsIn(phone.page, 'jobs')).some(
        (row) => (JSON.parse(row) as { attempts: number }).attempts > RETRY_DELAYS.length,
      )
    await expect.poll(haveFailed).toBe(true)
    const before = network.bytesSent
    network.restore()
    await phone.context.setOffline(false)
    await expectPublishedOnce(it, 'トンネルに入っても届く')
    expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.8)
  },
)

test(
  'after a connection stalls, the video continues over another and is posted once',
  { tag: '@deep' },
  async ({ server, network, phone, largeVideo }) => {
    const it = { server, network, phone, largeVideo }
    await sendPart(it, '黙りこんでも届く')
    network.stall()
    const before = network.bytesSent
    // The stalled connection stays open, and still takes what the browser had buffered; more bytes are from another.
    await network.waitUntilSent(before + 15_000_000)
    await expectPublishedOnce(it, '黙りこんでも届く')
  },
)
