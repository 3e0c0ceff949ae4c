// Rounds of seeded faults: portals, a full device, SIGKILL of browser and server. Some posts are written in two tabs.
import { createRandom } from '#contract/testing/random.ts'
import type { Page } from '@playwright/test'
import { afterDelay } from './rig/moments.ts'
import { postButton, write } from './rig/posting/editor.ts'
import type { Fault } from './rig/network/faults.ts'
import { closePage } from './rig/browsers/leaving.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { postsWithText } from './rig/posting/posts.ts'
import { type MatrixSetup, expectPublishedOnce } from './rig/posting/fault-matrix.ts'
import { runsWhole } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

test.use({ ownServer: true, ownPhone: true })

// Rounds are independent: stories of some of them run at the same time.
test.describe.configure({ mode: 'parallel' })

/** Number of rounds: a sample in `npm test`, all in `.ci/run` (`CHAOS=whole`) and `npm run test:deep -- stories`. */
const ROUNDS = runsWhole || process.env['CHAOS'] === 'whole' ? 20 : 2
/** Most rounds of one story. */
const ROUNDS_OF_STORY = 5
/** Longest time before a kill, ms. Some kills are before the first request, some after the last. */
const MAX_DELAY = 1500

interface Round extends MatrixSetup {
  readonly content: string
  readonly below: (limit: number) => number
}

const text = (page: Page) => page.getByRole('textbox', { name: '本文' })
const pendingPosts = (page: Page) => page.getByRole('region', { name: '送信中の投稿' })
const isPublished = async ({ server, content }: Round) =>
  (await postsWithText(server.url, content)).length > 0
const waitRandomly = (below: Round['below']) => afterDelay(below(MAX_DELAY))

/** Waits until the post is shown as pending, or is published. */
const expectPendingOrPublished = (it: Round) =>
  expect.poll(async () => (await pendingPosts(it.phone.page).isVisible()) || isPublished(it)).toBe(true)

/** Fills the device while the text is written, and frees room after the alert. */
async function writeWhileFull({ phone, network, content }: Round): Promise<void> {
  // A running browser continues with the quota it has computed.
  await phone.stop()
  await phone.start()
  const { page } = phone
  const debug = await phone.cdp()
  await debug.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: 1 })
  await page.goto(`${network.url}/post/upload2`)
  await text(page).fill(content)
  await postButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'この端末の空き容量が足りないため' })).toBeVisible()
  await expect(text(page)).toHaveValue(content)
  await debug.send('Storage.overrideQuotaForOrigin', { origin: network.url })
  await debug.detach()
}

/** The end of the text is written in another tab, which is then closed. */
async function finishInOtherTab({ phone, network, content }: Round): Promise<void> {
  const other = await phone.context.newPage()
  await other.goto(`${network.url}/post/upload2`)
  await expect(text(other)).toHaveValue(content.slice(0, -1))
  await text(other).press('End')
  await text(other).pressSequentially(content.slice(-1))
  await expect(text(phone.page)).toHaveValue(content)
  await closePage(other, [content])
}

/** Plans at most one fault for each request, and sometimes a portal for all. */
function planFaults({ network, below }: Round): void {
  const portal: Fault = { is: 'portal', status: [200, 302, 403, 404][below(4)] ?? 200 }
  const requests = ['POST /upload-chunking-2', 'PATCH|PUT /upload-chunking-2/', 'POST /api/post/']
  const faults: Fault[] = [
    portal,
    { is: 'reply-dropped' },
    { is: 'doubled' },
    { is: 'answered', status: 503, retryAfter: 1 },
    { is: 'cut', after: 50_000 },
  ]
  for (const request of requests) {
    const fault = faults[below(faults.length)]
    if (fault && below(2) === 0) network.once(request, fault, below(2))
  }
  if (below(3) === 0) network.begin('', portal)
}

type Kill = (it: Round) => Promise<void>
const kills: readonly Kill[] = [
  // Nothing is killed.
  async () => undefined,
  async ({ phone, network }) => {
    // oxlint-disable-next-line house/story-leaving -- a battery ends at any moment
    await phone.kill()
    await phone.start()
    await phone.page.goto(network.url)
  },
  async ({ server }) => {
    await server.kill()
    await server.start()
  },
]

/** Writes and sends a post while faults happen, and expects it once. @param round seed of the faults */
async function runRound(setup: MatrixSetup, round: number): Promise<void> {
  const { network, phone, film, video } = setup
  const { below } = createRandom(round * 7919)
  const content = `嵐の中の${round}通目。`
  const it: Round = { ...setup, content, below }
  const picked = below(2) === 0 ? film : video
  if (below(4) === 0) await writeWhileFull(it)
  const inOtherTab = below(3) === 0
  await write(phone.page, network.url, {
    content: inOtherTab ? content.slice(0, -1) : content,
    files: [picked.path],
    preupload: below(2) === 0,
  })
  if (inOtherTab) await finishInOtherTab(it)
  planFaults(it)
  await expect(text(phone.page)).toHaveValue(content)
  await postButton(phone.page).click()
  await expect(phone.page).toHaveURL(`${network.url}/`)
  await expectPendingOrPublished(it)
  await waitRandomly(below)
  await kills[below(kills.length)]?.(it)
  await expectPendingOrPublished(it)
  network.end('')
  await sendNow(it)
  await expectPublishedOnce(it, content, picked)
  network.clearFaults()
}

/** Presses 今すぐ送信 once, unless the post is published. */
async function sendNow(it: Round): Promise<void> {
  const { page } = it.phone
  const now = page.getByRole('button', { name: '今すぐ送信' })
  await expect(async () => {
    if (await isPublished(it)) return
    if (!(await now.isVisible()))
      await pendingPosts(page).getByRole('button').first().click({ timeout: 1000 })
    await now.click({ timeout: 1000 })
  }).toPass()
}

for (let first = 1; first <= ROUNDS; first += ROUNDS_OF_STORY) {
  const last = Math.min(first + ROUNDS_OF_STORY - 1, ROUNDS)
  test(`in rounds ${first} to ${last} every post is published once, with the picked bytes and the text on screen`, async ({
    server,
    network,
    phone,
  }) => {
    const folder = temporaryFolder('chaos')
    const film = makeVideo(`${folder}/film.mp4`, 400_000)
    const video = makeVideo(`${folder}/video.mp4`, 12_000_000)
    await signInByCookie(phone.page, network.url, creator)
    await phone.page.goto(network.url)
    await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    for (let round = first; round <= last; round++)
      await test.step(`round ${round}`, () => runRound({ server, network, phone, film, video }, round))
  })
}
