// The browser stops the worker during an upload.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { test } from './rig/story.ts'

test('after the worker of an open page is stopped, the video continues and is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  await sendPart(it, 'ワーカーが止まっても届く')
  const debug = await phone.cdp()
  await debug.send('ServiceWorker.enable')
  await debug.send('ServiceWorker.stopAllWorkers')
  await expectPublishedOnce(it, 'ワーカーが止まっても届く')
})
