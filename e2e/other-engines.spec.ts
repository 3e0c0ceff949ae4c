// Firefox and WebKitGTK beyond the queue: live events, and reading and writing offline.
import { engines } from './rig/browsers/engines.ts'
import { type OtherBrowser, signInWith } from './rig/browsers/other-browser.ts'
import { containing, goTo, keysOf, rowsOf, withBrowser } from './rig/browsers/other-pages.ts'
import { akari, fan, kami, type Person, sessionOf } from './rig/people/people.ts'
import type { Proxy } from './rig/network/proxy.ts'
import type { Server } from './rig/network/server.ts'
import { until } from './rig/network/ports.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const POST = '灯りの道を歩きました'
const UNREAD = '//nav//a[@href="/notify"]//*[text()="未読1件"]'
const HEART = (liked: boolean) => `//article//button[@aria-pressed="${liked}"]`
const WRITE = '//button[text()="コメントを書く"]'
/** The server, and the network between it and the browser. */
interface Story {
  readonly server: Server
  readonly network: Proxy
  readonly browser: OtherBrowser
}

async function callApi<T>({ url }: Server, as: Person, method: string, path: string): Promise<T> {
  const { token } = await sessionOf(url, as)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api${path}`, { method, headers })
  return (await answer.json()) as T
}

/** A new follower is shown over the socket, before the poll of each minute. */
async function receivesFollower({ server, network, browser }: Story): Promise<void> {
  const { user } = await sessionOf(server.url, fan)
  await signInWith(browser, network.url, fan)
  const joined = `performance.getEntriesByType('resource').some((it) => it.name.endsWith('/broadcasting/auth'))`
  await until(async () => (await browser.evaluate<boolean>(joined)) || undefined, 'its channel')
  await callApi(server, kami, 'PUT', `/follows/${user.id}`)
  await browser.find(UNREAD)
  await goTo(browser, '/notify')
  await browser.find(containing('にフォローされました'))
}

/** The settings show what this browser supports. */
async function namesItsAbilities({ browser }: Story, pushes: boolean): Promise<void> {
  await goTo(browser, '/settings/notification')
  await browser.find(
    pushes
      ? '//button[contains(., "通知を受け取る")]'
      : containing('このブラウザーは、アプリを閉じている間の通知に対応していません。'),
  )
  await goTo(browser, '/settings')
  await browser.click('//button[.//*[text()="ホーム画面に追加"] or text()="ホーム画面に追加"]')
  await browser.find('//ol' + containing('「アプリをインストール」または「ホーム画面に追加」を選びます'))
}

/** Opens a post, and waits until the device has stored it and its comments. */
async function readsPost(it: Story, post: string): Promise<void> {
  await goTo(it.browser, `/post/${post}`)
  await it.browser.find(WRITE)
  await until(
    async () =>
      (await keysOf(it.browser, 'answers')).filter((key) => key.includes(post)).length > 1 ? true : undefined,
    'the device to cache the post',
  )
}

/** Likes and comments without network; with a worker, after the browser was killed. */
async function writesOffline({ network, browser }: Story, post: string, worker: boolean): Promise<void> {
  network.cut()
  if (worker) {
    // oxlint-disable-next-line house/story-leaving -- nothing was written, and the device has cached the post (readsPost)
    await browser.kill()
    await browser.start()
    await browser.goto(`${network.url}/post/${post}`)
    await browser.find(containing(POST))
  }
  await browser.click(HEART(false))
  await browser.find(HEART(true))
  await browser.click(WRITE)
  await browser.type('//textarea', '雲の上から。')
  await browser.click('//button[@aria-label="送信" or text()="送信"]')
  await browser.find(containing('接続が戻ると送信します'))
  // Settled: the page has shown what was written after its start, at which it would offer a new version.
  expect(await browser.evaluate<string>('document.body.innerText')).not.toContain('新しいバージョン')
  for (const written of ['雲の上から。', 'likePost'])
    await until(
      async () => (await rowsOf(browser, 'acts')).some((row) => row.includes(written)) || undefined,
      `the device to store ${written}`,
    )
  // oxlint-disable-next-line house/story-leaving -- the device has stored both, as awaited
  await browser.kill()
}

/** With the network back, the like and the comment arrive once. */
async function deliversOnce(it: Story, post: string): Promise<void> {
  const { server, network, browser } = it
  network.restore()
  await browser.start()
  await browser.goto(network.url)
  const seen = () =>
    callApi<{ liked: boolean; counts: { likes: number } }>(server, fan, 'GET', `/posts/${post}`)
  const readPost = () =>
    callApi<{ comments: { body: { content: string } }[] }>(server, fan, 'GET', `/posts/${post}/comments`)
  await until(async () => ((await seen()).liked ? true : undefined), 'the like')
  await until(async () => ((await readPost()).comments.length > 0 ? true : undefined), 'the comment')
  await until(
    async () => ((await keysOf(browser, 'acts')).length === 0 ? true : undefined),
    'nothing to be left',
  )
  // Settled: the device has nothing left that it would send again.
  expect((await seen()).counts.likes).toBe(1)
  // Settled: as before.
  expect((await readPost()).comments.map(({ body }) => body.content)).toEqual(['雲の上から。'])
}

for (const { name, isInstalled, open, packages, worker, pushes } of engines)
  test(
    `${name}: receives a follower at once, names its abilities, and delivers once what was done with no network`,
    { tag: '@deep' },
    async ({ server, network }) => {
      test.skip(!isInstalled(), `not installed here (Debian: apt-get install ${packages})`)
      await publishTexts(server.url, akari, POST)
      const author = await sessionOf(server.url, akari)
      const list = `/posts?author=${author.user.id}`
      const { posts } = await callApi<{ posts: { id: string }[] }>(server, fan, 'GET', list)
      const post = posts[0]?.id ?? ''
      await callApi(server, fan, 'POST', '/notifications/read')
      await withBrowser(open(), async (browser) => {
        const it = { server, network, browser }
        await test.step('a follower', () => receivesFollower(it))
        await test.step('the settings', () => namesItsAbilities(it, pushes))
        await test.step('a post that is read', () => readsPost(it, post))
        await test.step('no network', () => writesOffline(it, post, worker))
        await test.step('the network is back', () => deliversOnce(it, post))
      })
    },
  )
