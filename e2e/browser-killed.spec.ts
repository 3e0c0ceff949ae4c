// The phone dies in the middle of an upload.
import { arrivesOnce, sendPart } from './rig/delivery.ts'
import { expect, test } from './rig/story.ts'

test('the browser is killed and opened again: the video goes on without a click and is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  await sendPart(it, 'ブラウザーが落ちても届く')
  await expect(phone.page.getByText('アプリを閉じても続きから送信します')).toBeVisible()
  await phone.kill()
  const before = network.sentUp
  await phone.start()
  await phone.page.goto(network.url)
  await arrivesOnce(it, 'ブラウザーが落ちても届く')
  // It went on: what had been acknowledged was not sent again.
  expect(network.sentUp - before).toBeLessThan(largeVideo.size * 0.8)
})
