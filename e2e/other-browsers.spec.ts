// The upload queue in Firefox and WebKitGTK: a cut and a kill during an upload.
import { join } from 'node:path'
import { jobsOnDevice } from './rig/posting/delivery.ts'
import { engines } from './rig/browsers/engines.ts'
import { publishWith, signInWith } from './rig/browsers/other-browser.ts'
import { containing, withBrowser } from './rig/browsers/other-pages.ts'
import { creator } from './rig/people/people.ts'
import { temporaryFolder, until } from './rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

const MB = 1_000_000
const PROMISE = '開いている間に送信します。閉じても、次に開くと続きから送信します'
const WAITING = '接続が戻ると、アプリを開いている間に送信します'

for (const { name, isInstalled, open, packages } of engines)
  test(
    `${name}: after a cut and a kill of the browser the video continues and is posted once`,
    deepUnless(name === 'WebKitGTK'),
    async ({ server, network }) => {
      test.skip(!isInstalled(), `not installed here (Debian: apt-get install ${packages})`)
      const video = makeVideo(join(temporaryFolder('video'), 'video.mp4'), 40 * MB)
      const content = `${name}からも届く`
      await withBrowser(open(), async (browser) => {
        await signInWith(browser, network.url, creator)
        network.throttle(10 * MB)
        const before = network.bytesSent
        await publishWith(browser, content, video.path)
        await browser.find(`//*[text()="${PROMISE}"]`)
        await network.waitUntilSent(before + video.size * 0.2)
        network.cut()
        await browser.find(containing(WAITING))
        network.restore()
        await network.waitUntilSent(before + video.size * 0.5)

        // oxlint-disable-next-line house/story-leaving -- in the middle of an upload, whose job was stored before the editor closed
        await browser.kill()
        const killed = network.bytesSent
        await browser.start()
        await browser.goto(network.url)
        const post = await waitForPost(server.url, content)
        await expect.poll(() => originals(server.url, post)).toEqual([video.sha256])
        // Acknowledged bytes were not sent again.
        expect(network.bytesSent - killed).toBeLessThan(video.size * 0.65)
        const nothingLeft = async (): Promise<true | undefined> =>
          (await browser.evaluate<number>(`(${jobsOnDevice.toString()})()`)) === 0 ? true : undefined
        await until(nothingLeft, 'the device to have nothing left to deliver')
        await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
      })
    },
  )
