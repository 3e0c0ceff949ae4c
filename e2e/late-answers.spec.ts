// An answer that comes late finds a person who is doing something else by now: it takes nothing from them.
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { akari, fan, kami, type Person, sessionOf, signIn } from './rig/people/people.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

// Each story changes people, posts or profiles that no other of them looks at.
test.use({ ownServer: 'file' })

/**
 * Holds the next call of this kind back on its way to the server, or loses it there; `asked` resolves when it is sent.
 */
async function holdNext(context: BrowserContext, method: string, path: string) {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<'goes' | 'lost'>()
  let taken = false
  await context.route(`**/api${path}`, async (route) => {
    if (taken || route.request().method() !== method) return route.fallback()
    taken = true
    asked.resolve()
    return (await gate.promise) === 'goes' ? route.continue() : route.abort()
  })
  return { asked: asked.promise, letGo: () => gate.resolve('goes'), lose: () => gate.resolve('lost') }
}

/** Goes there inside the app, as a link does. */
async function step(page: Page, path: string): Promise<void> {
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

/** Opens the sheet in which a person is reported, on their page. */
async function askReport(page: Page, person: { id: string; name: string }): Promise<void> {
  await step(page, `/profile/${person.id}`)
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
  await page.getByRole('button', { name: 'その他の操作' }).click()
  await page.getByRole('menuitem', { name: 'この人を通報' }).click()
}

test('a mute that takes its time leaves the report alone that is written meanwhile', async ({
  server,
  network,
  phone: { page, context },
}) => {
  const [one, other] = [(await sessionOf(server.url, kami)).user, (await sessionOf(server.url, akari)).user]
  await signIn(page, network.url, fan)
  const report = page.getByRole('dialog', { name: 'ユーザーを通報' })
  await askReport(page, one)
  await report.getByRole('radio', { name: 'スパム' }).click()
  await report.getByRole('button', { name: '通報する' }).click()
  const muting = await holdNext(context, 'PUT', '/mutes/*')
  await report.getByRole('button', { name: `${one.name}さんをミュート` }).click()
  await muting.asked
  await expect(report.getByRole('button', { name: '処理中' })).toBeVisible()
  await report.getByRole('button', { name: '閉じる' }).click()
  await askReport(page, other)
  const detail = report.getByRole('textbox', { name: '詳しい内容' })
  await detail.fill('まだ書いているところです')
  muting.letGo()
  await expect(page.getByText(`${one.name}さんをミュートしました。`)).toBeVisible()
  await expect(detail).toHaveValue('まだ書いているところです')
})

const settings = (page: Page) => page.getByRole('heading', { level: 1, name: '設定' })

/** What ends a post for the viewer, by its menu: the call, the word at the end of it. */
const endings = [
  {
    who: 'a post was deleted',
    author: fan,
    item: '投稿を削除',
    act: '削除する',
    method: 'DELETE',
    path: '/posts/*',
    said: '投稿を削除しました。',
  },
  {
    who: "a post's author was blocked",
    author: kami,
    item: 'ブロック',
    act: 'ブロックする',
    method: 'PUT',
    path: '/blocks/*',
    said: 'さんをブロックしました。',
  },
]

for (const { who, author, item, act, method, path, said } of endings)
  test(`whoever went elsewhere while ${who} is not led away from there`, async ({
    server,
    network,
    phone: { page, context },
  }) => {
    const content = 'この間に移動します'
    await publishTexts(server.url, author, content)
    await signIn(page, network.url, fan)
    await step(page, '/settings')
    await expect(settings(page)).toBeVisible()
    await step(page, `/post/${await postOf(server.url, author, content)}`)
    const ending = await holdNext(context, method, path)
    await page.getByRole('button', { name: '投稿のメニュー' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: act }).click()
    await ending.asked
    await page.goBack()
    await expect(page).toHaveURL(`${network.url}/settings`)
    ending.letGo()
    await expect(page.getByText(said)).toBeVisible()
    await expect(page).toHaveURL(`${network.url}/settings`)
    await expect(settings(page)).toBeVisible()
  })

test('a feed that was read anew leaves a post alone that was opened meanwhile', async ({
  server,
  network,
  phone: { page, context },
}) => {
  const [open, fresh] = ['この間に開く投稿', '読み直すと届く投稿']
  await publishTexts(server.url, akari, open)
  await signIn(page, network.url, fan)
  await page.getByRole('tab', { name: '新着' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  await publishTexts(server.url, akari, fresh)
  const refresh = await holdNext(context, 'GET', '/feed/latest')
  await page.getByRole('link', { name: 'ホーム' }).first().click()
  await refresh.asked
  await step(page, `/post/${await postOf(server.url, akari, open)}`)
  await expect(page.getByRole('button', { name: '投稿のメニュー' })).toBeVisible()
  // Where the page is moved from now on.
  await page.evaluate(() => {
    const { scrollTo } = window
    window.scrollTo = (...given: unknown[]) => {
      document.documentElement.dataset['moved'] += ` ${location.pathname}`
      Reflect.apply(scrollTo, window, given)
    }
  })
  const answered = page.waitForResponse((it) => it.url().endsWith('/feed/latest'))
  refresh.letGo()
  await (await answered).finished()
  // Home shows the data it was read with: whatever came with that is over.
  await page.goBack()
  await expect(page.getByText(fresh)).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-moved', /\/post\//)
})

test('a saved profile is shown while everything that names the person is read again', async ({
  network,
  phone: { page, context },
}) => {
  await signIn(page, network.url, fan)
  await step(page, '/profile/edit')
  await page.getByRole('textbox', { name: '名前' }).fill('新しい名前')
  const session = await holdNext(context, 'GET', '/auth/session')
  await page.getByRole('button', { name: '保存する' }).click()
  await session.asked
  await expect(page.getByRole('heading', { level: 1, name: '新しい名前' })).toBeVisible()
  session.letGo()
})

test('whoever went elsewhere while a profile was saved is not led away from there', async ({
  network,
  phone: { page, context },
}) => {
  await signIn(page, network.url, fan)
  await step(page, '/settings')
  await expect(settings(page)).toBeVisible()
  await step(page, '/profile/edit')
  await page.getByRole('textbox', { name: '名前' }).fill('別の名前')
  const saving = await holdNext(context, 'PUT', '/profile')
  await page.getByRole('button', { name: '保存する' }).click()
  await saving.asked
  await page.goBack()
  await expect(settings(page)).toBeVisible()
  saving.letGo()
  await expect(page.getByText('プロフィールを保存しました。')).toBeVisible()
  await expect(page).toHaveURL(`${network.url}/settings`)
  await expect(settings(page)).toBeVisible()
})

/** Opens a sheet of one's own post, coming from the settings, and puts something else in it. */
async function changeInSheet(page: Page, url: string, address: string, item: string): Promise<Locator> {
  const content = 'あとで直す投稿'
  await publishTexts(url, fan, content)
  await signIn(page, address, fan)
  await step(page, '/settings')
  await expect(settings(page)).toBeVisible()
  await step(page, `/post/${await postOf(url, fan, content)}`)
  await page.getByRole('button', { name: '投稿のメニュー' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  const sheet = page.getByRole('dialog')
  if (item === '本文を編集') await sheet.getByRole('textbox').fill('直しました')
  else {
    await sheet.getByRole('radio', { name: '有料' }).click()
    await sheet.getByRole('textbox').fill('500')
  }
  return sheet
}

for (const item of ['本文を編集', '公開範囲を変更'])
  test(`the sheet of ${item} stays until the change is there, and says that it is not`, async ({
    server,
    network,
    phone: { page, context },
  }) => {
    const sheet = await changeInSheet(page, server.url, network.url, item)
    const change = await holdNext(context, 'PATCH', '/posts/*')
    await sheet.getByRole('button', { name: '保存' }).click()
    await change.asked
    await sheet.getByRole('button', { name: '閉じる' }).click()
    change.lose()
    await expect(sheet.getByText('通信できませんでした。')).toBeVisible()
    await sheet.getByRole('button', { name: '閉じる' }).click()
    await expect(sheet).toHaveCount(0)
  })

test('whoever left the page of a post hears that its change was not saved', async ({
  server,
  network,
  phone: { page, context },
}) => {
  const sheet = await changeInSheet(page, server.url, network.url, '公開範囲を変更')
  const change = await holdNext(context, 'PATCH', '/posts/*')
  await sheet.getByRole('button', { name: '保存' }).click()
  await change.asked
  await page.goBack()
  await expect(settings(page)).toBeVisible()
  change.lose()
  const told = page.getByRole('region', { name: '操作の結果' })
  await expect(told.getByText('投稿の変更を保存できませんでした。')).toBeVisible()
})

test('a report that is on its way stays open, and says that it did not arrive', async ({
  server,
  network,
  phone: { page, context },
}) => {
  const { user } = await sessionOf(server.url, akari)
  await signIn(page, network.url, fan)
  await askReport(page, user)
  const report = page.getByRole('dialog', { name: 'ユーザーを通報' })
  await report.getByRole('radio', { name: 'スパム' }).click()
  const sending = await holdNext(context, 'PUT', '/reports/**')
  await report.getByRole('button', { name: '通報する' }).click()
  await sending.asked
  await report.getByRole('button', { name: '閉じる' }).click()
  sending.lose()
  await expect(report.getByText('通信できませんでした。')).toBeVisible()
  await report.getByRole('button', { name: '通報する' }).click()
  await expect(report.getByText('通報を受け付けました')).toBeVisible()
})
