// The network is lost during an upload.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { expect, test } from './rig/story.ts'

test(
  'after 20 s without network the video continues and is posted once',
  { tag: '@deep' },
  async ({ server, network, phone, largeVideo }) => {
    const it = { server, network, phone, largeVideo }
    await sendPart(it, 'トンネルに入っても届く')
    network.cut()
    await phone.context.setOffline(true)
    await new Promise((done) => setTimeout(done, 20_000))
    const before = network.bytesSent
    network.restore()
    await phone.context.setOffline(false)
    await expectPublishedOnce(it, 'トンネルに入っても届く')
    expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.8)
  },
)

test(
  'after a connection stalls, the video continues over another within 20 s and is posted once',
  { tag: '@deep' },
  async ({ server, network, phone, largeVideo }) => {
    const it = { server, network, phone, largeVideo }
    await sendPart(it, '黙りこんでも届く')
    network.stall()
    const before = network.bytesSent
    const hung = Date.now()
    // The stalled connection still takes what the browser had buffered; more bytes are from another.
    await network.waitUntilSent(before + 15_000_000)
    expect(Date.now() - hung).toBeLessThan(20_000)
    await expectPublishedOnce(it, '黙りこんでも届く')
  },
)
