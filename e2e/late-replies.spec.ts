// A late reply does not change what the person has opened since the request.
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { akari, fan, kami, type Person, sessionOf, signIn } from './rig/people/people.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

// No two stories change the same people, posts or profiles.
test.use({ ownServer: 'file' })

/** Delays or drops the next request of this kind. `sent` resolves when the page sends it. */
async function holdNext(context: BrowserContext, method: string, path: string) {
  const sent = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<'sent' | 'lost'>()
  let taken = false
  await context.route(`**/api${path}`, async (route) => {
    if (taken || route.request().method() !== method) return route.fallback()
    taken = true
    sent.resolve()
    return (await gate.promise) === 'sent' ? route.continue() : route.abort()
  })
  return { sent: sent.promise, release: () => gate.resolve('sent'), lose: () => gate.resolve('lost') }
}

/** Navigates inside the app, without a page load. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState({}, '', to), path)
}

/** The id of a person's post with this text. */
async function postOf(url: string, author: Person, content: string): Promise<string> {
  const { token, user } = await sessionOf(url, author)
  const answer = await fetch(`${url}/api/posts?author=${user.id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { posts } = (await answer.json()) as { posts: { id: string; access: { content?: string } }[] }
  const found = posts.find((it) => it.access.content === content)
  if (!found) throw new Error(`there is no post ${content}`)
  return found.id
}

/** The sentences that say how an action ended. A dialog hides them from assistive technology. */
const toast = (page: Page, sentence: string) =>
  page.getByRole('region', { name: '操作の結果', includeHidden: true }).getByText(sentence)

/** Opens the report dialog on the person's page. */
async function openReport(page: Page, person: { id: string; name: string }): Promise<void> {
  await navigate(page, `/profile/${person.id}`)
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
  await page.getByRole('button', { name: 'その他の操作' }).click()
  await page.getByRole('menuitem', { name: 'この人を通報' }).click()
}

test(
  'a late mute does not close a report that is being written',
  { tag: '@deep' },
  async ({ server, network, phone: { page, context } }) => {
    const [one, other] = [(await sessionOf(server.url, kami)).user, (await sessionOf(server.url, akari)).user]
    await signIn(page, network.url, fan)
    const report = page.getByRole('dialog', { name: 'ユーザーを通報' })
    await openReport(page, one)
    await report.getByRole('radio', { name: 'スパム' }).click()
    await report.getByRole('button', { name: '通報する' }).click()
    const muting = await holdNext(context, 'PUT', '/mutes/*')
    await report.getByRole('button', { name: `${one.name}さんをミュート` }).click()
    await muting.sent
    await expect(report.getByRole('button', { name: '処理中' })).toBeVisible()
    await report.getByRole('button', { name: '閉じる' }).click()
    await openReport(page, other)
    const detail = report.getByRole('textbox', { name: '詳しい内容' })
    await detail.fill('まだ書いているところです')
    muting.release()
    await expect(toast(page, `${one.name}さんをミュートしました。`)).toBeVisible()
    await expect(detail).toHaveValue('まだ書いているところです')
  },
)

const settings = (page: Page) => page.getByRole('heading', { level: 1, name: '設定' })

/** Menu items that remove a post for the viewer, with request and toast. */
const endings = [
  {
    who: 'a post was deleted',
    author: fan,
    item: '投稿を削除',
    button: '削除する',
    method: 'DELETE',
    path: '/posts/*',
    sentence: '投稿を削除しました。',
  },
  {
    who: "a post's author was blocked",
    author: kami,
    item: 'ブロック',
    button: 'ブロックする',
    method: 'PUT',
    path: '/blocks/*',
    sentence: 'さんをブロックしました。',
  },
]

for (const { who, author, item, button, method, path, sentence } of endings)
  test(
    `a person who left the page while ${who} is not navigated away`,
    deepUnless(who === endings[0]?.who),
    async ({ server, network, phone: { page, context } }) => {
      const content = 'この間に移動します'
      await publishTexts(server.url, author, content)
      await signIn(page, network.url, fan)
      await navigate(page, '/settings')
      await expect(settings(page)).toBeVisible()
      await navigate(page, `/post/${await postOf(server.url, author, content)}`)
      const ending = await holdNext(context, method, path)
      await page.getByRole('button', { name: '投稿のメニュー' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: button }).click()
      await ending.sent
      await page.goBack()
      await expect(page).toHaveURL(`${network.url}/settings`)
      ending.release()
      await expect(toast(page, sentence)).toBeVisible()
      await expect(page).toHaveURL(`${network.url}/settings`)
      await expect(settings(page)).toBeVisible()
    },
  )

test(
  'a late refresh of a feed does not move a post that was opened since',
  { tag: '@deep' },
  async ({ server, network, phone: { page, context } }) => {
    const [open, fresh] = ['この間に開く投稿', '読み直すと届く投稿']
    await publishTexts(server.url, akari, open)
    await signIn(page, network.url, fan)
    await page.getByRole('tab', { name: '新着' }).click()
    await expect(page.getByRole('article').first()).toBeVisible()
    await publishTexts(server.url, akari, fresh)
    const refresh = await holdNext(context, 'GET', '/feed/latest')
    await page.getByRole('link', { name: 'ホーム' }).first().click()
    await refresh.sent
    await navigate(page, `/post/${await postOf(server.url, akari, open)}`)
    await expect(page.getByRole('button', { name: '投稿のメニュー' })).toBeVisible()
    // Records whether the page is scrolled from now on.
    await page.evaluate(() => {
      const { scrollTo } = window
      window.scrollTo = (...given: unknown[]) => {
        document.documentElement.dataset['moved'] += ` ${location.pathname}`
        Reflect.apply(scrollTo, window, given)
      }
    })
    const answered = page.waitForResponse((it) => it.url().endsWith('/feed/latest'))
    refresh.release()
    await (await answered).finished()
    // Home shows the refreshed data, so the refresh is over.
    await page.goBack()
    await expect(page.getByRole('article').getByText(fresh)).toBeVisible()
    const moves = page.locator('html')
    // The place of home is restored, which is recorded like every other move.
    await expect(moves).toHaveAttribute('data-moved', / \/(?!post)/)
    await expect(moves).not.toHaveAttribute('data-moved', /\/post\//)
  },
)

test(
  'a saved profile is shown while queries with the person’s data are read again',
  { tag: '@deep' },
  async ({ network, phone: { page, context } }) => {
    await signIn(page, network.url, fan)
    await navigate(page, '/profile/edit')
    await page.getByRole('textbox', { name: '名前' }).fill('新しい名前')
    const session = await holdNext(context, 'GET', '/auth/session?*')
    await page.getByRole('button', { name: '保存する' }).click()
    await session.sent
    await expect(page.getByRole('heading', { level: 1, name: '新しい名前' })).toBeVisible()
    session.release()
  },
)

test(
  'a person who left the page while a profile was saved is not navigated away',
  { tag: '@deep' },
  async ({ network, phone: { page, context } }) => {
    await signIn(page, network.url, fan)
    await navigate(page, '/settings')
    await expect(settings(page)).toBeVisible()
    await navigate(page, '/profile/edit')
    await page.getByRole('textbox', { name: '名前' }).fill('別の名前')
    const saving = await holdNext(context, 'PUT', '/profile')
    await page.getByRole('button', { name: '保存する' }).click()
    await saving.sent
    await page.goBack()
    await expect(settings(page)).toBeVisible()
    saving.release()
    await expect(toast(page, 'プロフィールを保存しました。')).toBeVisible()
    await expect(page).toHaveURL(`${network.url}/settings`)
    await expect(settings(page)).toBeVisible()
  },
)

/** Opens a sheet of the viewer's own post from the settings, and changes its value. */
async function changeInSheet(page: Page, url: string, address: string, item: string): Promise<Locator> {
  const content = 'あとで直す投稿'
  await publishTexts(url, fan, content)
  await signIn(page, address, fan)
  await navigate(page, '/settings')
  await expect(settings(page)).toBeVisible()
  await navigate(page, `/post/${await postOf(url, fan, content)}`)
  await page.getByRole('button', { name: '投稿のメニュー' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  const sheet = page.getByRole('dialog')
  if (item === '投稿を編集') await sheet.getByRole('textbox').fill('直しました')
  else {
    await sheet.getByRole('radio', { name: '有料' }).click()
    await sheet.getByRole('textbox').fill('500')
  }
  return sheet
}

for (const item of ['投稿を編集', '公開範囲を変更'])
  test(
    `the sheet of ${item} stays open until the change is saved, and shows a failure`,
    deepUnless(item === '投稿を編集'),
    async ({ server, network, phone: { page, context } }) => {
      const sheet = await changeInSheet(page, server.url, network.url, item)
      const change = await holdNext(context, 'PATCH', '/posts/*')
      await sheet.getByRole('button', { name: '保存' }).click()
      await change.sent
      await sheet.getByRole('button', { name: '閉じる' }).click()
      change.lose()
      await expect(sheet.getByText('通信できませんでした。')).toBeVisible()
      await sheet.getByRole('button', { name: '閉じる' }).click()
      await expect(sheet).toHaveCount(0)
    },
  )

test(
  'a person who left the page of a post is informed that its change was not saved',
  { tag: '@deep' },
  async ({ server, network, phone: { page, context } }) => {
    const sheet = await changeInSheet(page, server.url, network.url, '公開範囲を変更')
    const change = await holdNext(context, 'PATCH', '/posts/*')
    await sheet.getByRole('button', { name: '保存' }).click()
    await change.sent
    await page.goBack()
    await expect(settings(page)).toBeVisible()
    change.lose()
    await expect(toast(page, '投稿の変更を保存できませんでした。')).toBeVisible()
  },
)

test(
  'a report stays open while it is sent, and shows a failure',
  { tag: '@deep' },
  async ({ server, network, phone: { page, context } }) => {
    const { user } = await sessionOf(server.url, akari)
    await signIn(page, network.url, fan)
    await openReport(page, user)
    const report = page.getByRole('dialog', { name: 'ユーザーを通報' })
    await report.getByRole('radio', { name: 'スパム' }).click()
    const sending = await holdNext(context, 'PUT', '/reports/**')
    await report.getByRole('button', { name: '通報する' }).click()
    await sending.sent
    await report.getByRole('button', { name: '閉じる' }).click()
    sending.lose()
    await expect(report.getByText('通信できませんでした。')).toBeVisible()
    await report.getByRole('button', { name: '通報する' }).click()
    await expect(report.getByText('通報を受け付けました')).toBeVisible()
  },
)
