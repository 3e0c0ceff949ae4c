// The browser stops the worker in the middle of an upload.
import { arrivesOnce, sendPart } from './rig/delivery.ts'
import { test } from './rig/story.ts'

test('the worker is stopped three times: the video is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  await sendPart(it, 'ワーカーが止まっても届く', 0.15)
  const debug = await phone.cdp()
  await debug.send('ServiceWorker.enable')
  for (const share of [0.3, 0.5]) {
    await debug.send('ServiceWorker.stopAllWorkers')
    await network.passed(largeVideo.size * share)
  }
  await debug.send('ServiceWorker.stopAllWorkers')
  await arrivesOnce(it, 'ワーカーが止まっても届く')
})
