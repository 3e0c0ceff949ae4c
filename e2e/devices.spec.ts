// The list of sessions, ending them, and what a sign-out leaves on the device.
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { postButton } from './rig/posting/editor.ts'
import { apiOf } from './rig/people/api.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { creator, fan, fillSignIn, kami, sessionOf, signIn } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { postsWithText, publishTexts, releasedPosts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

/** Signs in with the app installed, as after a first visit. */
async function goOffline({ page, context }: Phone): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await context.setOffline(true)
}

const security = '/settings/privacy-and-security'

async function pressSignOut(page: Page): Promise<void> {
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
}

/** Confirms the question about unsent posts and signs out. */
async function sayYes(page: Page): Promise<void> {
  const question = page.getByRole('alertdialog', { name: 'ログアウトしますか' })
  await expect(question).toContainText('送信待ちの投稿1件はこの端末に残り')
  await question.getByRole('button', { name: 'ログアウトする' }).click()
}

async function writeDraft(page: Page, url: string, content: string): Promise<void> {
  await page.goto(`${url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
}

/** Likes a new post of another person as the fan, until the server has the like; home is open afterwards. */
async function likePost(page: Page, server: string, url: string): Promise<void> {
  await publishTexts(server, kami, '送信待ちの間に読む投稿')
  const [post] = await releasedPosts(server, kami)
  const api = await apiOf(server, fan)
  await page.goto(`${url}/post/${post?.id}`)
  await page.getByRole('button', { name: 'いいね', exact: true }).click()
  await expect.poll(() => api.call('GET', `/posts/${post?.id}`)).toMatchObject({ liked: true })
  await page.goto(`${url}/`)
}

/** Every row of the device's database as text. */
const rowsOf = (page: Page) =>
  page.evaluate(async () => {
    const opened = indexedDB.open('todoke')
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opened.addEventListener('success', () => resolve(opened.result))
      opened.addEventListener('error', () => reject(new Error('the database does not open')))
    })
    const names = [...db.objectStoreNames]
    const tx = db.transaction(names)
    const all = await Promise.all(
      names.map(
        (name) =>
          new Promise<unknown[]>((resolve) => {
            const request = tx.objectStore(name).getAll()
            request.addEventListener('success', () => resolve(request.result))
          }),
      ),
    )
    db.close()
    return JSON.stringify(all)
  })

test('a session ended from another device ends at the next request of its page, and its draft remains', async ({
  network,
  phone,
  newPhone,
}) => {
  const lost = phone.page
  await signIn(lost, network.url, fan)
  await writeDraft(lost, network.url, '端末に残る下書き')
  const desktop = await newPhone({ viewport: { width: 1280, height: 800 } })
  await signIn(desktop.page, network.url, fan)
  await desktop.page.goto(network.url + security)
  await expect(desktop.page.getByText('この端末', { exact: true })).toHaveCount(1)
  const others = desktop.page.getByRole('button', { name: /をログアウトさせる$/ })
  // Settled: the list arrives whole; read for the comparison below.
  const before = await others.count()
  await others.first().click()
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'ログアウトさせる' }).click()
  await expect(desktop.page.getByText('端末をログアウトさせました。')).toBeVisible()
  await expect(others).toHaveCount(before - 1)
  await lost.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(lost).toHaveURL(/\/login/)
  await fillSignIn(lost, fan)
  await expect(lost.getByRole('textbox', { name: '本文' })).toHaveValue('端末に残る下書き')
})

test(
  'all other sessions are ended at once, and this one continues',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    await signIn(page, network.url, creator)
    const { token } = await sessionOf(server.url, creator)
    await page.goto(network.url + security)
    await page.getByRole('button', { name: 'ほかの端末をすべてログアウト' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'ログアウトさせる' }).click()
    await expect(page.getByText(/台の端末をログアウトさせました。/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'ほかの端末をすべてログアウト' })).toHaveCount(0)
    const answer = await fetch(`${server.url}/api/auth/session`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(401)
    await reload(page, nothingWritten)
    await expect(page.getByText('利用中')).toBeVisible()
  },
)

test(
  'signing out with a draft asks first, deletes the draft, and signs out other tabs',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signIn(page, network.url, fan)
    const tab = await phone.context.newPage()
    await tab.goto(`${network.url}/`)
    await writeDraft(page, network.url, '消えるはずの下書き')
    await expect.poll(() => rowsOf(page)).toMatch(/消えるはずの下書き.*みなと|みなと.*消えるはずの下書き/s)
    await page.goto(`${network.url}/`)
    await pressSignOut(page)
    const question = page.getByRole('alertdialog', { name: 'ログアウトしますか' })
    await expect(question).toContainText('この端末の下書き1件は削除されます。')
    await question.getByRole('button', { name: 'やめる' }).click()
    await expect(question).toHaveCount(0)
    await expect(page).toHaveURL(`${network.url}/`)
    await pressSignOut(page)
    await question.getByRole('button', { name: 'ログアウトする' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect(tab).toHaveURL(/\/login/)
    await expect.poll(() => rowsOf(page)).not.toMatch(/消えるはずの下書き|みなと/)
    // The remaining rows identify the browser, not a person.
    await expect
      .poll(async () => (await phone.context.cookies()).map((it) => it.name))
      .toEqual(['todoke_device'])
  },
)

test('signing out without a draft asks no question', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  await pressSignOut(page)
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('ログアウトしました。')).toBeVisible()
})

test('a pending post stays when its owner signs out, is shown, and is sent after the next sign-in', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, creator)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('送信待ちで残る投稿')
  await goOffline(phone)
  await postButton(page).click()
  await pressSignOut(page)
  await sayYes(page)
  await expect(page).toHaveURL(/\/login/)
  await expect(
    page.getByText(/さんの送信待ちの投稿が1件あります。ログインすると続きから送信します。/),
  ).toBeVisible()
  await phone.context.setOffline(false)
  await fillSignIn(page, fan)
  await expect(page).toHaveURL(`${network.url}/`)
  await likePost(page, server.url, network.url)
  // Settled: the queue has sent a later mutation of the person who is signed in.
  expect(await postsWithText(server.url, '送信待ちで残る投稿')).toEqual([])
  await pressSignOut(page)
  await expect(page.getByText(/さんの送信待ちの投稿が1件あります/)).toBeVisible()
  await fillSignIn(page, creator)
  await until(
    async () => ((await postsWithText(server.url, '送信待ちで残る投稿')).length === 1 ? true : undefined),
    'the parked post to be published',
  )
})

test(
  'pending posts are deleted from the login page after a question',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/post/upload2`)
    await page.getByRole('textbox', { name: '本文' }).fill('消される送信待ち')
    await goOffline(phone)
    await postButton(page).click()
    await expect.poll(() => rowsOf(page)).toContain('消される送信待ち')
    await pressSignOut(page)
    await sayYes(page)
    await page.getByRole('button', { name: /さんの送信待ちの投稿を削除$/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
    await expect(page.getByText('送信待ちの投稿を削除しました。')).toBeVisible()
    await expect.poll(() => rowsOf(page)).not.toContain('消される送信待ち')
    await phone.context.setOffline(false)
    await fillSignIn(page, creator)
    await expect(page).toHaveURL(`${network.url}/`)
    // Settled: the device, which was offline with it, has deleted the post.
    expect(await postsWithText(server.url, '消される送信待ち')).toEqual([])
  },
)

test.describe('a token that was copied', () => {
  test.use({ ownServer: true })

  test(
    'is used on another device after its exchange: the session ends, its owner gets an email, the draft remains',
    { tag: '@deep' },
    async ({ server, network, phone }) => {
      const { page } = phone
      const token = async () =>
        (await phone.context.cookies(network.url)).find((it) => it.name === 'todoke_token')?.value
      const refresh = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await signIn(page, network.url, fan)
      await writeDraft(page, network.url, '写し取られても残る下書き')
      const copied = decodeURIComponent(defined(await token()))
      await server.kill()
      await server.start(1)
      // A request without a server has no reply; the next one is sent at the next focus.
      await expect(async () => {
        await refresh()
        expect(decodeURIComponent(defined(await token()))).not.toBe(copied)
      }).toPass()
      // The first use of the new token ends the old one.
      const used = page.waitForResponse((it) => new URL(it.url()).pathname === '/api/auth/session' && it.ok())
      await reload(page, ['写し取られても残る下書き'])
      await used
      await expect(page.getByRole('textbox', { name: '本文' })).toBeVisible()
      await server.kill()
      await server.start(1.5)
      const answer = await fetch(`${server.url}/api/auth/session`, {
        headers: { authorization: copied, 'user-agent': 'curl/8' },
      })
      expect(answer.status).toBe(401)
      const email = await emailTo(server, fan.email, '安全のためログアウト')
      expect(email.text).toContain('パスワードを変更する')
      expect(linkIn(email)).toBe(security)
      await expect(async () => {
        await refresh()
        expect(page.url()).toContain('/login')
      }).toPass()
      await fillSignIn(page, fan)
      await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue('写し取られても残る下書き')
    },
  )
})
