// Beyond the queue, in browsers that Playwright does not drive: told while open, started and written in with no network.
import { engines } from './rig/browsers/engines.ts'
import { type OtherBrowser, signInWith } from './rig/browsers/other-browser.ts'
import { akari, fan, kami, type Person, sessionOf } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { deepUnless, expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const POST = '灯りの道を歩きました'
const UNREAD = '//nav//a[@href="/notify"]//*[text()="未読1件"]'
const HEART = (liked: boolean) => `//article//button[@aria-pressed="${liked}"]`
const WRITE = '//button[text()="コメントを書く"]'
const saying = (text: string) => `//*[contains(text(), "${text}")]`

/** Runs in the page: the keys of what the device holds in one of its stores, as one text each. */
const keysIn = (store: string) => `new Promise((done) => {
  indexedDB.open('todoke').addEventListener('success', ({ target: { result: db } }) => {
    db.transaction('${store}').objectStore('${store}').getAllKeys().addEventListener('success', ({ target }) => {
      db.close()
      done(target.result.map(String))
    })
  })
})`

/**
 * Goes to a page inside the app: one that is left by its address while it reads the device's database leaves WebKit a
 * transaction that never ends.
 */
const goTo = (browser: OtherBrowser, path: string) =>
  browser.ask(`(history.pushState({}, '', '${path}'), dispatchEvent(new PopStateEvent('popstate')))`)

for (const { name, isThere, open, packages, worker, pushes } of engines)
  test(
    `${name}: hears of a follower at once, says what it can do, and what is done with no network arrives once`,
    deepUnless(name === 'Firefox'),
    async ({ server, network }) => {
      test.skip(!isThere(), `not installed here (Debian: apt-get install ${packages})`)
      test.setTimeout(300_000)
      const ask = async <T>(as: Person, method: string, path: string): Promise<T> => {
        const { token } = await sessionOf(server.url, as)
        const headers = { authorization: `Bearer ${token}` }
        const answer = await fetch(`${server.url}/api${path}`, { method, headers })
        return (await answer.json()) as T
      }
      await publishTexts(server.url, akari, POST)
      const [me, author] = [await sessionOf(server.url, fan), await sessionOf(server.url, akari)]
      await ask(fan, 'POST', '/notifications/read')
      const browser = await open()
      const keys = (store: string) => browser.ask<string[]>(keysIn(store))
      try {
        // Told by the socket: the count is asked for once a minute only.
        await signInWith(browser, network.url, fan)
        const joined = `performance.getEntriesByType('resource').some((it) => it.name.endsWith('/broadcasting/auth'))`
        await until(async () => (await browser.ask<boolean>(joined)) || undefined, 'its channel')
        await ask(kami, 'PUT', `/follows/${me.user.id}`)
        await browser.find(UNREAD)
        await goTo(browser, '/notify')
        await browser.find(saying('にフォローされました'))

        // What it can do is said as it is.
        await goTo(browser, '/settings/notification')
        await browser.find(
          pushes
            ? '//button[contains(., "通知を受け取る")]'
            : saying('このブラウザーは、アプリを閉じている間の通知に対応していません。'),
        )
        await goTo(browser, '/settings')
        await browser.click('//button[.//*[text()="ホーム画面に追加"] or text()="ホーム画面に追加"]')
        await browser.find('//ol' + saying('「アプリをインストール」または「ホーム画面に追加」を選びます'))

        const { posts } = await ask<{ posts: { id: string }[] }>(
          fan,
          'GET',
          `/posts?author=${author.user.id}`,
        )
        const post = posts[0]?.id ?? ''
        await goTo(browser, `/post/${post}`)
        await browser.find(WRITE)
        await until(
          // The post, and its comments.
          async () =>
            (await keys('answers')).filter((key) => key.includes(post)).length > 1 ? true : undefined,
          'the device to keep the post',
        )

        // Killed, and opened with no network.
        network.cut()
        if (worker) {
          await browser.kill()
          await browser.start()
          await browser.goto(`${network.url}/post/${post}`)
          await browser.find(saying(POST))
        }
        await browser.click(HEART(false))
        await browser.find(HEART(true))
        await browser.click(WRITE)
        await browser.type('//textarea', '雲の上から。')
        await browser.click('//button[@aria-label="送信" or text()="送信"]')
        await browser.find(saying('接続が戻ると送信します'))
        expect(await browser.ask<string>('document.body.innerText')).not.toContain('新しいバージョン')
        await browser.kill()

        network.restore()
        await browser.start()
        await browser.goto(network.url)
        const seen = () => ask<{ liked: boolean; counts: { likes: number } }>(fan, 'GET', `/posts/${post}`)
        const said = () =>
          ask<{ comments: { body: { content: string } }[] }>(fan, 'GET', `/posts/${post}/comments`)
        await until(async () => ((await seen()).liked ? true : undefined), 'the like')
        await until(async () => ((await said()).comments.length > 0 ? true : undefined), 'the comment')
        await until(async () => ((await keys('acts')).length === 0 ? true : undefined), 'nothing to be left')
        expect((await seen()).counts.likes).toBe(1)
        expect((await said()).comments.map((it) => it.body.content)).toEqual(['雲の上から。'])
      } catch (error) {
        const page = await browser
          .ask<string>('location.href + "\\n" + document.body.innerText')
          .catch(String)
        throw new Error(`${String(error)}\nThe page then:\n${page}`, { cause: error })
      } finally {
        await browser.discard()
      }
    },
  )
