// Following, blocking, editing a profile with its pictures, and reporting a person.
import type { Page } from '@playwright/test'
import { type Api, apiOf } from './rig/people/api.ts'
import { akari, kami, signIn, yuu } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import type { Proxy } from './rig/network/proxy.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

/** Navigates inside the app, without a page load. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState({}, '', to), path)
}

/** Resolves when the page has joined the channel of its person. */
const joinsOwnChannel = (page: Page) =>
  page.waitForResponse(
    (it) =>
      it.url().endsWith('/broadcasting/auth') && (it.request().postData() ?? '').includes('private-person.'),
  )

/** Counts the cached responses on the device that contain this person's id. */
const cachedResponsesOf = (page: Page, id: string) =>
  page.evaluate(
    (who) =>
      new Promise<number>((resolve) => {
        const opened = indexedDB.open('todoke')
        opened.onsuccess = () => {
          const rows = opened.result.transaction('answers').objectStore('answers').getAll()
          rows.onsuccess = () => {
            opened.result.close()
            resolve(rows.result.filter((it: { text: string }) => it.text.includes(who)).length)
          }
        }
      }),
    id,
  )

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Checks every list: the followers of a person both follow, and home. */
async function expectInNoList(who: Page, name: string, followed: string): Promise<void> {
  await navigate(who, `/profile/follow?uid=${followed}&list=followers`)
  await expect(heading(who, 'フォロー')).toBeVisible()
  await expect(who.getByRole('list', { name: 'フォロワー' })).toBeVisible()
  await expect(who.getByRole('link', { name })).toHaveCount(0)
  await navigate(who, '/')
  await expect(who.getByRole('tab', { name: '新着' })).toBeVisible()
  await who.getByRole('tab', { name: '新着' }).click()
  await expect(who.getByRole('article').first()).toBeVisible()
  await expect(who.getByRole('article').filter({ hasText: name })).toHaveCount(0)
}

interface Blocked {
  readonly network: Proxy
  readonly one: Api
  readonly two: Api
  /** The blocked person's device. */
  readonly other: Phone
}

/** An offline device reads a block from the session, and deletes cached data. */
async function blockOffline({ network, one, two, other }: Blocked): Promise<void> {
  const otherPage = other.page
  await expect.poll(() => cachedResponsesOf(otherPage, one.id)).toBeGreaterThan(0)
  await navigate(otherPage, '/settings')
  network.cut()
  await other.context.setOffline(true)
  await one.call('PUT', `/blocks/${two.id}`)
  network.restore()
  await other.context.setOffline(false)
  await expect.poll(() => cachedResponsesOf(otherPage, one.id)).toBe(0)
  network.cut()
  // Another tab may have received it first and sent it to this one.
  await expect(async () => {
    await navigate(otherPage, '/settings')
    await navigate(otherPage, `/profile/${one.id}`)
    await expect(otherPage.getByText('このページはまだ読み込まれていないため')).toBeVisible({ timeout: 2000 })
  }).toPass()
  network.restore()
}

/** The same for a device without an open page during the block. */
async function blockSwitchedOff({ network, one, two, other }: Blocked): Promise<void> {
  await one.call('DELETE', `/blocks/${two.id}`)
  await other.page.goto(`${network.url}/profile/${one.id}`)
  await expect(heading(other.page, one.name)).toBeVisible()
  await expect.poll(() => cachedResponsesOf(other.page, one.id)).toBeGreaterThan(0)
  await other.stop()
  await one.call('PUT', `/blocks/${two.id}`)
  await other.start()
  await other.page.goto(`${network.url}/settings`)
  await expect.poll(() => cachedResponsesOf(other.page, one.id)).toBe(0)
}

/** Unblocks the person. Both see each other again, and neither follows the other. */
async function unblock(
  page: Page,
  otherPage: Page,
  { one, two }: Pick<Blocked, 'one' | 'two'>,
): Promise<void> {
  await navigate(page, '/settings/blocklist_bk')
  await page.getByRole('button', { name: `${two.name}さんのブロックを解除` }).click()
  await expect(heading(page, 'ブロックとミュート')).toBeVisible()
  await navigate(page, `/profile/${two.id}`)
  await expect(page.getByRole('link', { name: '1 フォロワー' })).toBeVisible()
  await expect(page.getByRole('button', { name: `${two.name}さんをフォローする` })).toBeVisible()
  await navigate(otherPage, `/profile/${one.id}`)
  await expect(heading(otherPage, one.name)).toBeVisible()
}

test('following counts at once; a block hides both people from each other everywhere, until it is undone', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const [one, two, third] = [
    await apiOf(server.url, kami),
    await apiOf(server.url, yuu),
    await apiOf(server.url, akari),
  ]
  for (const it of [one, two]) await it.call('PUT', `/follows/${third.id}`)
  const other = await newPhone()
  const [page, otherPage] = [phone.page, other.page]
  const live = [joinsOwnChannel(otherPage)]
  await Promise.all([signIn(page, network.url, kami), signIn(otherPage, network.url, yuu)])
  // The other person has a post of the first person and the home page open.
  const [reading, home] = [await other.context.newPage(), await other.context.newPage()]
  live.push(joinsOwnChannel(reading), joinsOwnChannel(home))
  const { posts } = (await two.call('GET', `/posts?author=${one.id}`)) as { posts: { id: string }[] }
  await reading.goto(`${network.url}/post/${posts[0]?.id}`)
  await expect(reading.getByRole('article')).toBeVisible()
  await home.goto(network.url)
  await home.getByRole('tab', { name: '新着' }).click()
  const ofOne = home.getByRole('article').filter({ hasText: one.name })
  await expect(ofOne.first()).toBeVisible()

  await navigate(page, `/profile/${two.id}`)
  await expect(page.getByRole('link', { name: '1 フォロワー' })).toBeVisible()
  await page.getByRole('button', { name: `${two.name}さんをフォローする` }).click()
  await expect(page.getByRole('link', { name: '2 フォロワー' })).toBeVisible()
  await expect(page.getByRole('button', { name: `${two.name}さんのフォローを解除` })).toBeVisible()
  await navigate(otherPage, '/profile/follow')
  await expect(otherPage.getByRole('link', { name: one.name })).toBeVisible()
  await otherPage.getByRole('button', { name: `${one.name}さんをフォローする` }).click()
  await expect(otherPage.getByRole('button', { name: `${one.name}さんのフォローを解除` })).toBeVisible()
  await navigate(otherPage, `/profile/${one.id}`)
  await expect(heading(otherPage, one.name)).toBeVisible()
  await expect(otherPage.getByText('フォローされています')).toBeVisible()
  await expect(otherPage.getByRole('article').first()).toBeVisible()

  await page.getByRole('button', { name: 'その他の操作' }).click()
  await page.getByRole('menuitem', { name: `${two.name}さんをブロック` }).click()
  await Promise.all(live)
  await expect.poll(() => cachedResponsesOf(otherPage, one.id)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'ブロックする', exact: true }).click()
  await expect(page.getByText('ブロックしています')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)

  // Both pages are updated live, without a press on them.
  await expect(heading(reading, 'このページは表示できません')).toBeVisible()
  await expect(reading.getByRole('article')).toHaveCount(0)
  await expect(heading(otherPage, 'このページは表示できません')).toBeVisible()
  await expect(otherPage.getByRole('article')).toHaveCount(0)
  await expect(ofOne).toHaveCount(0)
  await expect(home.getByRole('article').first()).toBeVisible()
  await expect.poll(() => cachedResponsesOf(otherPage, one.id)).toBe(0)

  // A blocked person sees the not-found page.
  for (const [who, of] of [
    [page, two],
    [otherPage, one],
  ] as const)
    await expectInNoList(who, of.name, third.id)
  await otherPage.goto(`${network.url}/profile/${one.id}`)
  await expect(heading(otherPage, 'このページは表示できません')).toBeVisible()
  await otherPage.goto(`${network.url}/`)

  await unblock(page, otherPage, { one, two })
  await blockOffline({ network, one, two, other })

  await blockSwitchedOff({ network, one, two, other })
})

test(
  'a profile is edited, also after leaving its page; its picture is cropped; a report arrives',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [me, other] = [await apiOf(server.url, kami), await apiOf(server.url, yuu)]
    await other.call('PUT', '/profile', { name: other.name, handle: 'yama_yuu', bio: '', links: [] })
    await signIn(page, network.url, kami)
    await page.goto(`${network.url}/settings`)
    await page.getByRole('main').getByRole('link', { name: 'プロフィール', exact: true }).click()
    const handle = page.getByRole('textbox', { name: 'ユーザー名' })
    await handle.fill('yama_yuu')
    await expect(page.getByText('このユーザー名は使われています。')).toBeVisible()
    await handle.fill('ＫＡＭＩ_yohaku')
    await expect(page.getByText('@kami_yohaku は使えます。')).toBeVisible()
    await page.getByRole('button', { name: '戻る' }).click()
    await page.getByRole('main').getByRole('link', { name: 'プロフィール', exact: true }).click()
    await expect(page.getByText('前回入力した内容を復元しました。')).toBeVisible()
    await expect(page.getByText('@kami_yohaku は使えます。')).toBeVisible()
    await page
      .getByRole('textbox', { name: '自己紹介' })
      .fill('活版印刷の工房です。@yama_yuu #手紙 https://example.com')
    await page.getByRole('textbox', { name: 'リンク 1' }).fill('http://example.com')
    await page.getByRole('button', { name: '保存する' }).click()
    await expect(page.getByText('https:// で始まるURLを入力してください')).toBeVisible()
    await page.getByRole('textbox', { name: 'リンク 1' }).fill('https://example.com/kami')

    const before = ((await me.call('GET', '/profile/pictures')) as { avatar: { url: string } }).avatar.url
    await page.getByLabel('アイコンを変更').last().setInputFiles('public/icons/icon-512.png')
    const sheet = page.getByRole('dialog', { name: '表示する範囲' })
    await sheet.getByRole('slider', { name: '拡大' }).fill('2')
    await sheet.getByRole('button', { name: 'この範囲を使う' }).click()
    await expect(page.getByText('画像を変更しました。')).toBeVisible()
    const after = ((await me.call('GET', '/profile/pictures')) as { avatar: { url: string } }).avatar.url
    expect(after).not.toBe(before)
    await expect(page.getByRole('group', { name: 'アイコン' }).locator(`img[src="${after}"]`)).toBeVisible()

    await page.getByRole('button', { name: '保存する' }).click()
    await expect(heading(page, me.name)).toBeVisible()
    await expect(page.getByText('@kami_yohaku')).toBeVisible()
    await expect(page.getByRole('link', { name: 'example.com/kami' })).toHaveAttribute('rel', /nofollow/)
    await page.getByRole('link', { name: '@yama_yuu' }).click()
    await expect(heading(page, other.name)).toBeVisible()

    await page.getByRole('button', { name: 'その他の操作' }).click()
    await page.getByRole('menuitem', { name: 'この人を通報' }).click()
    const report = page.getByRole('dialog', { name: 'ユーザーを通報' })
    await report.getByRole('button', { name: '通報する' }).click()
    await expect(report.getByText('理由を選択してください。')).toBeVisible()
    await report.getByRole('radio', { name: 'なりすまし' }).click()
    await report.getByRole('textbox', { name: '詳しい内容' }).fill('別の人の写真を使っています')
    await report.getByRole('button', { name: '通報する' }).click()
    await expect(report.getByText('通報を受け付けました')).toBeVisible()
    await report.getByRole('link', { name: '通報の履歴' }).click()
    await expect(page.getByRole('main').getByText('別の人の写真を使っています')).toBeVisible()
    await expect(page.getByText('受付済み')).toBeVisible()
    const { reports } = (await me.call('GET', '/reports/own')) as { reports: object[] }
    expect(reports).toMatchObject([
      { kind: 'person', target_id: other.id, reason: 'impersonation', state: 'open' },
    ])
  },
)
