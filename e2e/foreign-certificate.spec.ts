// An inspecting proxy presents its own certificate: the post waits, and is published once.
import { press, write } from './rig/posting/editor.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { temporaryFolder, until } from './rig/network/ports.ts'
import { TlsProxy } from './rig/network/tls-proxy.ts'
import { makeVideo } from './rig/posting/video.ts'
import { expect, test } from './rig/story.ts'

// The server has the proxy's address as its public one.
test.use({ ownServer: true })

test(
  'a proxy with a foreign certificate only delays a post, which is published once',
  { tag: '@deep' },
  async ({ server, newPhone }) => {
    const content = '知らない証明書の向こうへ'
    const proxy = await TlsProxy.open(server.port)
    await server.stop()
    await server.start(0, { PUBLIC_URL: proxy.url })
    const { page } = await newPhone({ trustedKey: proxy.key })
    const video = makeVideo(`${temporaryFolder('certificate')}/video.mp4`, 400_000)
    await signInByCookie(page, proxy.url, creator, server.url)
    await page.goto(proxy.url)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await write(page, proxy.url, { content, files: [video.path] })
    proxy.present('foreign')
    await press(page, proxy.url)
    const refused = proxy.refused
    await until(async () => (proxy.refused > refused + 1 ? true : undefined), 'two refused connections')
    await expect(page.getByRole('region', { name: '送信中の投稿' })).toBeVisible()
    await expect(page.getByText('エラーが発生しました。')).toHaveCount(0)
    // Settled: no connection has passed since the other certificate is presented, and two were refused.
    expect(await postsWithText(server.url, content)).toEqual([])
    proxy.present('own')
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([video.sha256])
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
    await proxy.close()
  },
)
