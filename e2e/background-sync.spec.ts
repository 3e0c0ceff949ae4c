// Background Sync: the worker publishes the post with all pages closed.
import { jobsOnDevice } from './rig/posting/delivery.ts'
import { press, waitUntilStored, write } from './rig/posting/editor.ts'
import { dispatchSync, stopWorkers } from './rig/browsers/clear-browser.ts'
import { closePage } from './rig/browsers/leaving.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test('after every page is closed and the network returns, the sync event publishes the post once', async ({
  server,
  network,
  phone,
}) => {
  const { page, context } = phone
  const [picture] = await makePictures(1)
  const content = '閉じたあとに届く投稿'
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content, files: [picture?.path ?? ''] })
  await waitUntilStored(page)
  network.cut()
  await press(page, network.url)
  await expect.poll(() => page.evaluate(jobsOnDevice)).toBe(1)

  // A page of another origin keeps the browser open.
  const other = await context.newPage()
  for (const it of context.pages()) if (it !== other) await closePage(it, [content])
  const debug = await phone.cdp(other)
  const worker = await stopWorkers(debug)
  network.restore()
  // Settled: neither a page nor the worker runs, and while they did the network was cut.
  expect(await postsWithText(server.url, content)).toEqual([])
  await dispatchSync(debug, worker, network.url)

  const post = await waitForPost(server.url, content)
  await expect.poll(() => originals(server.url, post)).toEqual([picture?.sha256])
  expect(context.pages().map((it) => it.url())).toEqual(['about:blank'])
  // The worker has deleted the job and its files without a page.
  await other.goto(network.url)
  await expect.poll(() => other.evaluate(jobsOnDevice)).toBe(0)
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})
