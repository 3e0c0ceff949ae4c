// A build for servers that implement only section 7 of the specification.
import type { BrowserContext } from '@playwright/test'
import { RESPONSE_HEADER, REQUEST_HEADER } from '#contract/response.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { buildWith, openBuilt } from './rig/network/built.ts'
import { press, write } from './rig/posting/editor.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { openTray } from './rig/posting/fault-matrix.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

// The worker of the default build must not be installed.
test.use({ firstVisit: true })

let built: string | undefined
const forAnotherServer = () => (built ??= buildWith({ VITE_SERVER: 'specification' }))

/** Removes this project's headers from every reply. @returns the requests that carried one of them */
async function withoutOurHeaders(context: BrowserContext): Promise<string[]> {
  const named: string[] = []
  await context.route(/\/(api(?!\/media)|upload-chunking-2)\//, async (route) => {
    const request = route.request()
    if (REQUEST_HEADER.toLowerCase() in request.headers()) named.push(`${request.method()} ${request.url()}`)
    const response = await route.fetch().catch(() => undefined)
    // The story has ended.
    if (!response) return
    const ownHeaders = new Set([RESPONSE_HEADER, REQUEST_HEADER].map((it) => it.toLowerCase()))
    const headers = Object.fromEntries(
      Object.entries(response.headers()).filter(([name]) => !ownHeaders.has(name)),
    )
    await route.fulfill({ response, headers })
  })
  return named
}

for (const at of ['/post/upload2', '/post/upload'])
  test(
    `${at}: a post with a picture arrives once, and no request has a header of this project`,
    { tag: '@deep' },
    async ({ server, network, phone }) => {
      const { page, context } = phone
      const named = await withoutOurHeaders(context)
      await openBuilt(context, forAnotherServer())
      const [picture] = await makePictures(1)
      const content = `別のサーバーへ ${at}`
      await signInByCookie(page, network.url, creator)
      await write(page, network.url, { content, files: [picture?.path ?? ''], at })
      await press(page, network.url)
      const post = await waitForPost(server.url, content)
      await expect.poll(() => originals(server.url, post)).toEqual([picture?.sha256])
      await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
      expect(named).toEqual([])
    },
  )

/** Calls of a session as this server has them, by the calls that the build is configured for. */
const configured = {
  'POST /api/login': ['POST', '/api/auth/sign-in'],
  'DELETE /api/session': ['POST', '/api/auth/sign-out'],
  'GET /api/session': ['GET', '/api/auth/session'],
} as const

test(
  'a build with configured paths and methods signs in, reads its session and signs out by them',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const calls: string[] = []
    await context.route(
      /\/api\/(?:login|session|auth\/(?:sign-in|sign-out|session))(?:\?|$)/,
      async (route) => {
        const request = route.request()
        const { pathname, search, origin } = new URL(request.url())
        const name = `${request.method()} ${pathname}`
        calls.push(name)
        const [method, to] = configured[name as keyof typeof configured] ?? [request.method(), pathname]
        await route.fulfill({ response: await route.fetch({ method, url: origin + to + search }) })
      },
    )
    const build = buildWith({
      VITE_SIGN_IN: 'POST /login',
      VITE_SIGN_OUT: 'DELETE /session',
      VITE_GET_SESSION: 'GET /session',
    })
    await openBuilt(context, build)
    await page.goto(`${network.url}/login`)
    await page.getByLabel('メールアドレス').fill(creator.email)
    await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
    await page.getByRole('button', { name: 'ログイン', exact: true }).click()
    await expect(page).toHaveURL(`${network.url}/`)
    await reload(page, nothingWritten)
    await expect.poll(() => calls).toEqual(expect.arrayContaining(['POST /api/login', 'GET /api/session']))
    await page.getByRole('button', { name: 'アカウント' }).click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    await expect.poll(() => calls).toContain('DELETE /api/session')
    expect(calls.filter((it) => it.includes('/auth/'))).toEqual([])
  },
)

/** Replies that end a post (section 8): a falsy release and a refusal without format. */
const failures = [
  ['a falsy result', { status: 200, contentType: 'application/json', body: '{"data":false}' }],
  ['a status alone', { status: 403, contentType: 'text/plain', body: 'no' }],
] as const

for (const [what, answer] of failures)
  test(
    `a release answered with ${what} ends with the alert; tried again it is posted once`,
    { tag: '@deep' },
    async ({ server, network, phone }) => {
      const { page, context } = phone
      await withoutOurHeaders(context)
      await openBuilt(context, forAnotherServer())
      const content = `公開に失敗 ${what}`
      await signInByCookie(page, network.url, creator)
      await write(page, network.url, { content })
      const release = '**/api/post/release-uploaded/**'
      await page.route(release, (route) => route.fulfill(answer))
      await press(page, network.url)
      await expect(page.getByText(/^エラーが発生しました。再度投稿をお試しください。/).first()).toBeVisible()
      // Settled: the alert follows the reply to the last request of the post.
      expect(await postsWithText(server.url, content)).toEqual([])
      await page.unroute(release)
      await openTray(page)
      await page
        .getByRole('button', { name: /もう一度送信$/ })
        .first()
        .click()
      await waitForPost(server.url, content)
      await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
    },
  )
