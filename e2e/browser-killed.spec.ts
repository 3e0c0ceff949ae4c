// The browser is killed during an upload.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { killPhone, nothingWritten } from './rig/browsers/leaving.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

const MiB = 1024 * 1024

test('after the browser is killed and opened, the video continues without a click and is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  await sendPart(it, 'ブラウザーが落ちても届く')
  await expect(phone.page.getByText('アプリを閉じても続きから送信します')).toBeVisible()
  await killPhone(phone, ['ブラウザーが落ちても届く'])
  const before = network.bytesSent
  await phone.start()
  await phone.page.goto(network.url)
  await expectPublishedOnce(it, 'ブラウザーが落ちても届く')
  // Acknowledged bytes were not sent again.
  expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.8)
})

test(
  'the browser is killed ten times during one video: it continues each time without a click and is posted once',
  {
    tag: '@deep',
  },
  async ({ server, network, phone }) => {
    const largeVideo = makeVideo(`${temporaryFolder('killed')}/killed.mp4`, 60 * MiB)
    const it = { server, network, phone, largeVideo }
    const content = '十回落ちても届く'
    const before = network.bytesSent
    await sendPart(it, content, 0.05)
    // The whole video is on the device from here on; what is left of it must outlast the kills.
    network.throttle(64_000)
    await expect(phone.page.getByText('アプリを閉じても続きから送信します')).toBeVisible()
    for (let kills = 1; kills <= 10; kills++) {
      // Few bytes are sent between the end of one process and the start of the next.
      network.throttle(64_000)
      await killPhone(phone, nothingWritten)
      await phone.start()
      network.throttle(largeVideo.size / 5)
      const here = network.bytesSent
      await phone.page.goto(network.url)
      // Each kill is again during the upload; after the last one it may complete.
      if (kills < 10) await network.waitUntilSent(here + 3 * MiB)
    }
    // No kill follows that the upload must still meet.
    network.throttle(Number.POSITIVE_INFINITY)
    await expectPublishedOnce(it, content)
    // At most the chunk in progress at each kill is sent twice.
    expect(network.bytesSent - before).toBeLessThan(largeVideo.size + 10 * 5 * MiB)
  },
)
