// The server did it, and the phone never heard.
import { arrivesOnce, sendPart } from './rig/delivery.ts'
import { expect, test } from './rig/story.ts'

test('the answer to /post/add is lost: the video is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  network.swallowAnswerTo('POST /api/post/add')
  await sendPart(it, '返事がなくても届く')
  await arrivesOnce(it, '返事がなくても届く')
  expect(network.swallowed).toBe(1)
})

test('the answer to the release is lost: the video is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  network.swallowAnswerTo('POST /api/post/release-uploaded/')
  await sendPart(it, '公開の返事がなくても届く')
  await arrivesOnce(it, '公開の返事がなくても届く')
  expect(network.swallowed).toBe(1)
})
