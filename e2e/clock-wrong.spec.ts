// Posts are sent although the clock of page and worker is wrong by a day.
import { chunked, resumable } from './rig/posting/fault-matrix.ts'
import { press, write } from './rig/posting/editor.ts'
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { creator, signIn } from './rig/people/people.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

// A worker with the right time must not be installed.
test.use({ firstVisit: true })

const DAY = 24 * 3600 * 1000
const MINUTE = 60_000

/** Shifts the clock of the page or worker that runs it. */
function shift(by: number): string {
  return `{
    const RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...from) { from.length === 0 ? super(RealDate.now() + ${by}) : super(...from) }
      static now() { return RealDate.now() + ${by} }
    }
  }\n`
}

for (const [direction, by, { at, add }] of [
  ['ahead', DAY, resumable],
  ['behind', -DAY, chunked],
] as const)
  test(
    `${at}: the clock is a day ${direction}, and the server says "in a second": posted once`,
    deepUnless(direction === 'ahead'),
    async ({ server, network, phone }) => {
      const { page } = phone
      const worker = await (await fetch(`${server.url}/sw.js`)).text()
      network.deploy('/sw.js', shift(by) + worker)
      await phone.context.addInitScript(shift(by))
      const pictures = await makePictures(1)
      const content = `${at} 一日${direction}`
      await signIn(page, network.url, creator)
      const before = Date.now()
      const pageTime = await page.evaluate(() => Date.now())
      // A browser may round its clock: the shift of a day is what matters.
      expect(pageTime).toBeGreaterThan(before + by - MINUTE)
      expect(pageTime).toBeLessThan(Date.now() + by + MINUTE)
      network.once(at === resumable.at ? resumable.send : add, { is: 'answered', status: 500 })
      network.once(add, { is: 'answered', status: 503, retryAfter: 1 })
      await write(page, network.url, { content, files: pictures.map((it) => it.path), at })
      await press(page, network.url)
      const post = await waitForPost(server.url, content)
      await expect.poll(() => originals(server.url, post)).toEqual(pictures.map((it) => it.sha256))
      await waitUntilDelivered({ phone })
      await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
      expect(network.faultCount).toBe(2)
    },
  )
