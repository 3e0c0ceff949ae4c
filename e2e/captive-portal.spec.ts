// A captive portal answers instead of the server: nothing is lost, doubled or wrongly reported.
import type { Page } from '@playwright/test'
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import { press, write } from './rig/posting/editor.ts'
import type { Fault } from './rig/network/faults.ts'
import { PORTAL_TITLE } from './rig/network/faults.ts'
import { akari, creator, sessionOf } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { publishTexts } from './rig/posting/posts.ts'
import {
  bothProtocols,
  expect,
  type MatrixSetup,
  openTray,
  expectPublishedOnce,
  publish,
  resumable,
  test,
} from './rig/posting/fault-matrix.ts'
import { deepUnless } from './rig/sample.ts'

const portal = (status: number): Fault => ({ is: 'portal', status })
const answers = [200, 302, 403, 404]
const sentence = /公衆Wi-Fiへのログインなど、接続先の確認が必要かもしれません。/
const hint = '接続先の確認が必要かもしれません。開くと、確認の方法を見られます'

/** Waits until the portal has answered this many further requests. */
async function met({ network }: MatrixSetup, times: number, before: number): Promise<void> {
  const enough = async () => (network.faultCount - before >= times ? true : undefined)
  await until(enough, `the portal to answer ${times} times`)
}

const notFailed = (page: Page) => expect(page.getByText('エラーが発生しました。')).toHaveCount(0)

test(
  'while a portal answers every request, the tray links to it; afterwards the post is published once',
  { tag: '@deep' },
  async ({ matrix }) => {
    const { network, phone, film } = matrix
    const { page, context } = phone
    const content = 'Wi-Fiの入口で投稿'
    // The app's files come from the cache, so the portal does not receive these requests.
    await page.goto(network.url)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await write(page, network.url, { content, files: [film.path] })
    network.begin('', portal(200))
    await press(page, network.url)
    const tray = page.getByRole('region', { name: '送信中の投稿' })
    await expect(tray.getByText(hint)).toBeVisible()
    await openTray(page)
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByText(sentence)).toBeVisible()
    await expect(sheet.getByText(/^サーバーの応答を待っています 0%/).first()).toBeVisible()
    const opened = context.waitForEvent('page')
    await sheet.getByRole('link', { name: '接続先を確認する' }).click()
    const tab = await opened
    await expect(tab).toHaveTitle(PORTAL_TITLE)
    // The person signs in at the portal and returns.
    network.end('')
    await closePage(tab, nothingWritten)
    await expectPublishedOnce(matrix, content, film)
    await notFailed(page)
    await expect(page).toHaveURL(`${network.url}/`)
  },
)

/** `npm test` has these; every story of a portal shares their code. */
const sample = new Set(['/post/upload2 add 200'])

for (const { at, ...requests } of bothProtocols)
  for (const [step, request] of Object.entries(requests))
    for (const status of answers)
      test(
        `${at}: ${step} is answered ${status} by a portal: reported, and posted once after the portal`,
        deepUnless(sample.has(`${at} ${step} ${status}`)),
        async ({ matrix }) => {
          const { network, phone, film } = matrix
          const { page } = phone
          const content = `${at} ${step} portal ${status}`
          const before = network.faultCount
          network.begin(request, portal(status))
          await publish(matrix, at, content, film)
          await met(matrix, 3, before)
          await openTray(page)
          await expect(page.getByRole('dialog').getByText(sentence)).toBeVisible()
          network.end(request)
          await page.getByRole('button', { name: '今すぐ送信' }).click()
          await expectPublishedOnce(matrix, content, film)
          await notFailed(page)
        },
      )

test('a portal that answers once at every step of a post only delays it', async ({ matrix }) => {
  const { network, film } = matrix
  const { head, create, send, add, release } = resumable
  for (const [i, request] of [head, create, send, add, release].entries())
    network.once(request, portal(answers[i % answers.length] ?? 200))
  const content = 'Wi-Fiが来ては去る'
  const before = network.faultCount
  await publish(matrix, resumable.at, content, film)
  await expectPublishedOnce(matrix, content, film)
  expect(network.faultCount - before).toBe(5)
})

/** A post to comment on, and its state on the server. */
async function newPost(url: string, content: string) {
  await publishTexts(url, akari, content)
  const author = await sessionOf(url, akari)
  const { token } = await sessionOf(url, creator)
  const callApi = async (path: string) =>
    (await fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  const { posts } = await callApi(`/posts?author=${author.user.id}`)
  const id: string = posts.find((it: { access: { content?: string } }) => it.access.content === content).id
  return {
    id,
    comments: async (): Promise<string[]> =>
      (await callApi(`/posts/${id}/comments`)).comments.map(
        (it: { body: { content: string } }) => it.body.content,
      ),
    liked: async (): Promise<boolean> => (await callApi(`/posts/${id}`)).liked,
  }
}

for (const [status, undoing] of [
  [200, 404],
  [404, 200],
  [302, 403],
  [403, 302],
] as const)
  test(
    `a comment and a like answered ${status} by a portal, and the like's withdrawal ${undoing}, wait and are done once`,
    { tag: '@deep' },
    async ({ matrix }) => {
      const { network, phone, server } = matrix
      const { page } = phone
      const post = await newPost(server.url, `Wi-Fiの入口で読む ${status}`)
      await page.goto(`${network.url}/post/${post.id}`)
      const like = page.getByRole('button', { name: 'いいね', exact: true })
      await expect(like).toBeVisible()
      const mutations = [`PUT /api/posts/`, `DELETE /api/posts/`, `POST /api/posts/${post.id}/comments`]
      for (const request of mutations) network.begin(request, portal(status))
      let before = network.faultCount
      await like.click()
      await page.getByRole('button', { name: 'コメントを書く' }).click()
      await page.getByRole('textbox', { name: 'コメントを書く' }).fill('入口で書きました')
      await page.getByRole('button', { name: '送信', exact: true }).click()
      await met(matrix, 4, before)
      const notice = page.getByRole('status').filter({ hasText: '操作2件を送信できていません。' })
      await expect(notice).toContainText(/公衆Wi-Fiへのログインなど、接続先の確認が必要かもしれません。/)
      await expect(notice.getByRole('link', { name: '接続先を確認する' })).toHaveAttribute('target', '_blank')
      await expect(page.getByText('接続が戻ると送信します')).toHaveCount(0)
      // Settled: the portal has answered both requests, and still does.
      expect([await post.comments(), await post.liked()]).toEqual([[], false])
      for (const request of mutations) network.end(request)
      await expect.poll(post.comments).toEqual(['入口で書きました'])
      await expect.poll(post.liked).toBe(true)
      await expect(page.getByText('接続が戻ると送信します')).toHaveCount(0)
      await expect(page.getByText(/接続先の確認が必要/)).toHaveCount(0)
      for (const request of mutations) network.begin(request, portal(undoing))
      before = network.faultCount
      await page.getByRole('button', { name: 'いいね 1件' }).click()
      await met(matrix, 2, before)
      for (const request of mutations) network.end(request)
      await expect.poll(post.liked).toBe(false)
      // Settled: the page has shown the comment as sent, and a later mutation has arrived.
      expect(await post.comments()).toEqual(['入口で書きました'])
    },
  )
