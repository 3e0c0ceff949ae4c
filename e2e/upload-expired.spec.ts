// An upload that expired on the server starts again, and the tray shows that.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { bothRoutes, openTray, resumable } from './rig/posting/rows.ts'
import { deepUnless, expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

test.use({ ownServer: true })

for (const { at } of bothRoutes)
  test(
    `${at}: the server returns after eight days: the video is sent again, which is shown, and posted once`,
    deepUnless(at === resumable.at),
    async ({ server, network, phone }) => {
      const largeVideo = makeVideo(`${temporaryFolder('expired')}/week.mp4`, 40_000_000)
      const it = { server, network, phone, largeVideo }
      const content = `${at} 八日後に届く`
      await sendPart(it, content, 0.5, at)
      await server.kill()
      const before = network.sentUp
      await server.start(8)
      network.calm()
      await openTray(phone.page)
      await expect(phone.page.getByText('サーバー側で失われた部分を送り直しています。')).toBeVisible()
      await expectPublishedOnce(it, content)
      expect(network.sentUp - before).toBeGreaterThan(largeVideo.size)
    },
  )
