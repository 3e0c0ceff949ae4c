// An upload that expired on the server starts again, and the tray shows that.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { bothProtocols, openTray } from './rig/posting/fault-matrix.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

test.use({ ownServer: true })

for (const { at } of bothProtocols)
  test(
    `${at}: the server returns after eight days: the video is sent again, which is shown, and posted once`,
    { tag: '@deep' },
    async ({ server, network, phone }) => {
      const largeVideo = makeVideo(`${temporaryFolder('expired')}/week.mp4`, 40_000_000)
      const it = { server, network, phone, largeVideo }
      const content = `${at} 八日後に届く`
      await sendPart(it, content, 0.5, at)
      await server.kill()
      const before = network.bytesSent
      await server.start(8)
      network.clearFaults()
      await openTray(phone.page)
      await expect(phone.page.getByText('サーバー側で失われた部分を送り直しています。')).toBeVisible()
      await expectPublishedOnce(it, content)
      expect(network.bytesSent - before).toBeGreaterThan(largeVideo.size)
    },
  )
