// A large video is sent by the browser itself, while no page of the app is open.
import { press, write } from './rig/posting/editor.ts'
import { makeVideo } from './rig/posting/video.ts'
import { jobsOnDevice } from './rig/posting/delivery.ts'
import { originals, postsWithText, waitForPost } from './rig/posting/posts.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { expect, test } from './rig/story.ts'

const SIZE = 130_000_000

test('a large video is published while every page is closed, once and with its bytes', async ({
  server,
  network,
  phone,
}) => {
  const video = makeVideo(`${temporaryFolder('carried')}/film.mp4`, SIZE)
  await signInByCookie(phone.page, network.url, creator)
  network.throttle(5_000_000)
  const text = 'アプリを閉じても届く'
  await write(phone.page, network.url, { content: text, files: [video.path] })
  await press(phone.page, network.url)
  const carried = () =>
    phone.page.evaluate(async () => {
      const { backgroundFetch } = (await navigator.serviceWorker.ready) as unknown as {
        backgroundFetch: { getIds(): Promise<string[]> }
      }
      return (await backgroundFetch.getIds()).length
    })
  await expect.poll(carried, { message: 'uploads that the browser carries' }).toBe(1)
  for (const page of phone.context.pages()) await page.close()
  network.throttle(Infinity)
  const post = await waitForPost(server.url, text)
  await expect.poll(() => originals(server.url, post)).toEqual([video.sha256])
  const page = await phone.context.newPage()
  await page.goto(network.url)
  await expect.poll(() => page.evaluate(jobsOnDevice), { message: 'jobs left on the device' }).toBe(0)
  expect(await postsWithText(server.url, text)).toHaveLength(1)
})
