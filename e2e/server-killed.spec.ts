// The server is killed during an upload.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

test('after the server is killed and started, the video continues and is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  // The two pieces that are under way do not count yet.
  await sendPart(it, 'サーバーが落ちても届く', 0.5)
  await server.kill()
  const before = network.bytesSent
  await server.start()
  await expectPublishedOnce(it, 'サーバーが落ちても届く')
  expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.8)
})
