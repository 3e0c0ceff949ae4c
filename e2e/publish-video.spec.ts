// The main job: a creator publishes a large video, and a fan watches it.
import { press, write } from './rig/posting/editor.ts'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

test.use({ firstVisit: true })

for (const megabytes of [60, 200])
  test(
    `a video of ${megabytes} MB is posted byte for byte, and a fan plays it and seeks in it`,
    deepUnless(megabytes === 60),
    async ({ server, network, phone, newPhone }) => {
      const content = `海辺の動画 ${megabytes} MB`
      const sea = makeVideo(`${temporaryFolder('publish')}/sea.mp4`, megabytes * 1_000_000)
      await signInByCookie(phone.page, network.url, creator)
      await write(phone.page, network.url, { content, files: [sea.path] })
      await press(phone.page, network.url)
      const post = await waitForPost(server.url, content)
      await expect.poll(() => originals(server.url, post)).toEqual([sea.sha256])
      await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)

      const { page } = await newPhone()
      await signInByCookie(page, network.url, fan)
      await page.goto(`${network.url}/post/${post.id}`)
      const video = page.locator('video')
      await expect(video).toBeVisible()
      const time = (): Promise<number> => video.evaluate((it) => (it as HTMLVideoElement).currentTime)
      await video.evaluate((it) => {
        const player = it as HTMLVideoElement
        player.muted = true
        return player.play()
      })
      await expect.poll(time).toBeGreaterThan(0.3)
      const sought = await video.evaluate(async (it) => {
        const player = it as HTMLVideoElement
        player.pause()
        const target = player.duration * 0.75
        const arrived = new Promise((done) => player.addEventListener('seeked', done, { once: true }))
        player.currentTime = target
        await arrived
        return { target, reached: player.currentTime, width: player.videoWidth }
      })
      expect(sought.reached).toBeCloseTo(sought.target, 1)
      expect(sought.width).toBeGreaterThan(0)
    },
  )
