// A report becomes a case: removal, appeal and return, for moderators, authors and readers.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { admin, creator, fan, signIn } from './rig/people/people.ts'
import { suspend } from './rig/people/suspending.ts'
import { registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'

// Media that are removed here would hold the same media in stories of a shared server.
test.use({ ownServer: 'file' })

const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)
const notFound = (page: Page) => page.getByRole('heading', { name: 'このページは表示できません' })

interface Found {
  readonly id: string
  readonly content: string
}

/** An open post of the author in the reader's list. */
async function openPostOf(author: Api, reader: Api): Promise<Found> {
  const { posts } = (await reader.call('GET', `/posts?author=${author.id}&type=1`)) as {
    posts: { id: string; access: { is: string; content?: string } }[]
  }
  const post = posts.find((it) => it.access.is === 'full' && it.access.content)
  if (!post) throw new Error('the demo has no open post of the author')
  return { id: post.id, content: (post.access.content ?? '').split('\n')[0] ?? '' }
}

/** By keys alone: the first case, opened, taken; its decision needs a measure and a confirmation. */
async function removeByKeys(desk: Page, content: string, detail: string): Promise<void> {
  const first = desk.getByRole('list', { name: '通報' }).getByRole('listitem').first()
  await pressAnywhere(first, '?')
  await pressOn(desk.getByRole('dialog', { name: 'キーボード操作' }), 'Escape')
  await pressAnywhere(first, 'j')
  await pressOn(first, 'Enter')
  await expect(desk.getByRole('main').getByText(detail)).toBeVisible()
  await expect(desk.getByRole('region', { name: '通報されたときの内容' })).toContainText(content)
  await look(desk, 'case')
  await pressAnywhere(desk.getByRole('button', { name: '対応を始める' }), 't')
  await pressAnywhere(desk.getByRole('button', { name: '判断する' }), 'e')
  const sheet = desk.getByRole('dialog', { name: '通報への対応' })
  const decide = sheet.getByRole('button', { name: '決定する' })
  await decide.click()
  await expect(sheet.getByText('内容かユーザーへの対応を選んでください。')).toBeVisible()
  await sheet.getByRole('combobox', { name: '内容への対応' }).selectOption({ label: '削除' })
  await sheet.getByRole('textbox', { name: '本人へのお知らせ' }).fill('ほかの方の写真が使われていました。')
  await sheet.getByRole('textbox', { name: '通報した人へのお知らせ' }).fill('投稿を削除しました。')
  await look(desk, 'decision')
  await decide.click()
  await confirmAdmin(desk)
  // What was written is still there.
  await decide.click()
  await expect(desk.getByText('対応を決定しました。')).toBeVisible()
}

/** The author reads the decision and appeals. */
async function appeal(own: Page, url: string): Promise<void> {
  await own.goto(`${url}/settings/reports?show=decisions`)
  await expect(own.getByRole('main').getByText('ほかの方の写真が使われていました。')).toBeVisible()
  await look(own, 'own decision')
  await own.getByRole('button', { name: '異議を申し立てる' }).click()
  const sheet = own.getByRole('dialog', { name: '異議申し立て' })
  await sheet.getByRole('textbox', { name: '申し立ての内容' }).fill('許可をいただいて使っています')
  await look(own, 'appeal')
  await sheet.getByRole('button', { name: '申し立てる' }).click()
  await expect(own.getByText('異議申し立てを受け付けました。')).toBeVisible()
  await expect(own.getByText('確認中')).toBeVisible()
}

async function grant(desk: Page): Promise<void> {
  await desk.getByRole('tab', { name: '異議申し立て' }).click()
  await desk.getByRole('list', { name: '通報' }).getByRole('link').click()
  await expect(desk.getByRole('main').getByText('許可をいただいて使っています')).toBeVisible()
  await desk.getByRole('button', { name: '対応を始める' }).click()
  await desk.getByRole('button', { name: '回答する' }).click()
  const sheet = desk.getByRole('dialog', { name: '異議申し立てへの回答' })
  await sheet.getByRole('combobox', { name: '判断' }).selectOption({ label: '判断を取り消す' })
  await sheet.getByRole('textbox', { name: '本人への回答' }).fill('許可を確認できました。')
  await sheet.getByRole('button', { name: '回答する' }).click()
  await expect(desk.getByText('回答を送りました。')).toBeVisible()
}

test('a reported post is removed for all while they look at it, appealed by its author, and comes back', async ({
  server,
  network,
  phone: { page },
  newPhone,
}) => {
  const [reader, author] = [await apiOf(server.url, fan), await apiOf(server.url, creator)]
  const post = await openPostOf(author, reader)
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/post/${post.id}`)
  await expect(page.getByRole('article').first()).toBeVisible()
  const detail = '私の写真が使われています'
  await reader.call('PUT', `/reports/post/${post.id}`, { reason: 'copyright', detail })

  const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
  await signIn(desk, network.url, admin)
  await desk.goto(`${network.url}/administration`)
  await desk.getByRole('link', { name: '通報', exact: true }).click()
  await expect(desk.getByRole('list', { name: '通報' }).getByRole('listitem')).toHaveCount(1)
  await look(desk, 'list')
  await removeByKeys(desk, post.content, detail)
  // Live: the page is not loaded again.
  await expect(notFound(page)).toBeVisible()
  expect(await reader.call('GET', `/posts/${post.id}`)).toMatchObject({ error: { code: 'not_found' } })
  await page.goto(`${network.url}/settings/reports`)
  await expect(page.getByRole('main').getByText('投稿を削除しました。')).toBeVisible()

  const own = (await newPhone()).page
  await signIn(own, network.url, creator)
  await appeal(own, network.url)
  await grant(desk)
  await reload(own, nothingWritten)
  await expect(own.getByText('申し立てが認められました')).toBeVisible()
  await page.goto(`${network.url}/post/${post.id}`)
  await expect(page.getByRole('article').first()).toContainText(post.content)
})

test(
  'a suspended person reads the decision and appeals by the link of its email, without signing in',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const person = await registerPerson(server)
    const { id } = await apiOf(server.url, person)
    await suspend(server.url, await apiOf(server.url, fan), id, '別の方のお名前です。')
    await page.goto(network.url + linkIn(await emailTo(server, person.email, '重要なお知らせ')))
    await expect(page.getByRole('main').getByText('別の方のお名前です。')).toBeVisible()
    await look(page, 'decision by link')
    await page.getByRole('button', { name: '異議を申し立てる' }).click()
    const sheet = page.getByRole('dialog', { name: '異議申し立て' })
    await sheet.getByRole('textbox', { name: '申し立ての内容' }).fill('本人の名前です')
    await sheet.getByRole('button', { name: '申し立てる' }).click()
    await expect(page.getByText('確認中')).toBeVisible()
    await page.goto(`${network.url}/appeal#decision=${id}&token=x`)
    await reload(page, nothingWritten)
    await expect(page.getByText(/リンクが正しくないか/)).toBeVisible()
  },
)

test(
  'a reported message is decided after its messages were read',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [writer, reader] = [
      await apiOf(server.url, await registerPerson(server)),
      await apiOf(server.url, await registerPerson(server)),
    ]
    await reader.call('PUT', `/follows/${writer.id}`)
    const message = { id: newId(), content: '通報される言葉' }
    await writer.call('POST', `/conversations/${reader.id}/messages`, message)
    await reader.call('PUT', `/reports/message/${message.id}`, { reason: 'harassment', detail: '' })
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/admin/report?kind=message`)
    await page.getByRole('list', { name: '通報' }).getByRole('link').click()
    await page.getByRole('button', { name: '対応を始める' }).click()
    const decide = page.getByRole('button', { name: '判断する' })
    await expect(decide).toBeDisabled()
    await expect(decide).toHaveAccessibleDescription(/^判断するには、「メッセージを読む」を押して/)
    await look(page, 'unread')
    await page.getByRole('button', { name: 'メッセージを読む' }).click()
    await confirmAdmin(page)
    await page.getByRole('button', { name: 'メッセージを読む' }).click()
    await expect(page.getByText('通報される言葉')).toBeVisible()
    await decide.click()
    const sheet = page.getByRole('dialog', { name: '通報への対応' })
    await sheet.getByRole('combobox', { name: '判断' }).selectOption({ label: '違反なし' })
    await sheet.getByRole('textbox', { name: '通報した人へのお知らせ' }).fill('確認しました。')
    await sheet.getByRole('button', { name: '決定する' }).click()
    await expect(page.getByText('対応を決定しました。')).toBeVisible()
  },
)

test('a member and a visitor find no page of reports', async ({ server, network, phone: { page } }) => {
  await page.goto(`${network.url}/admin/report`)
  await expect(page.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/admin/report`)
  await expect(page.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
  // Settled: the reply to a request of the story.
  expect((await fetch(`${server.url}/admin/report`)).status).toBe(404)
})
