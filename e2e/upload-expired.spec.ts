// The server is away so long that it has cleared away what it had: the video begins again, and that is said.
import { expectPublishedOnce, sendPart } from './rig/posting/delivery.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { bothRoutes, openTray, resumable } from './rig/posting/rows.ts'
import { deepUnless, expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

test.use({ ownServer: true })

for (const { at } of bothRoutes)
  test(
    `${at}: the server comes back after eight days: the video is sent again, said so, and posted once`,
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
