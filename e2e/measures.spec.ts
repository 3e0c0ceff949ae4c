// Measures from a person's page, and what two members of staff see of one case.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { emailTo } from './rig/people/mail.ts'
import { admin, creator, fan, fillSignIn, type Person, sessionOf, signIn } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import type { Server } from './rig/network/server.ts'
import { expect, test } from './rig/story.ts'

// Media that are removed here would hold the same media in stories of a shared server.
test.use({ ownServer: 'file' })

const look = async (page: Page, name: string) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoViolationsInEachLook(page, `${name} at ${width}`)
  }
}
const sheetOf = (page: Page) => page.getByRole('dialog', { name: '夕暮さんへの対応' })
const personPage = (url: string, id: string) => `${url}/administration?show=people&person=${id}`

/** Adds a template, and opens the page of the person in the search of people. */
async function findPerson(desk: Page, url: string, person: Person): Promise<void> {
  await signIn(desk, url, admin)
  await desk.goto(`${url}/administration?show=people`)
  await desk.getByRole('searchbox').fill(person.email)
  await pressOn(desk.getByRole('searchbox'), 'Enter')
  await desk.getByRole('list', { name: '検索結果' }).getByRole('link').click()
  await expect(desk.getByRole('heading', { name: '処分' })).toBeVisible()
  await expect(desk.getByText('これまでに処分はありません。')).toBeVisible()
}

/** By keys: the sheet, whose text survives being closed, a missing rule, and a confirmation. */
async function suspendByKeys(desk: Page): Promise<void> {
  const respond = desk.getByRole('main').getByRole('button', { name: '対応する', exact: true })
  await pressAnywhere(respond, '?')
  await pressOn(desk.getByRole('dialog', { name: 'キーボード操作' }), 'Escape')
  await pressAnywhere(respond, 'e')
  const sheet = sheetOf(desk)
  const decide = sheet.getByRole('button', { name: '決定する' })
  await sheet.getByRole('combobox', { name: 'ユーザーへの対応' }).selectOption({ label: '利用停止' })
  await sheet.getByRole('combobox', { name: '期間' }).selectOption({ label: '7日間' })
  await sheet
    .getByRole('combobox', { name: '本人へのお知らせ：テンプレートから入力' })
    .selectOption({ label: 'なりすまし' })
  await sheet.getByRole('textbox', { name: '運営のメモ' }).fill('2回目')
  await decide.click()
  await expect(sheet.getByText('入力してください。')).toBeVisible()
  await look(desk, 'sheet')
  await pressOn(sheet, 'Escape')
  await pressAnywhere(respond, 'e')
  await expect(sheet.getByRole('textbox', { name: '運営のメモ' })).toHaveValue('2回目')
  await sheet.getByRole('combobox', { name: '違反の内容' }).selectOption({ label: 'なりすまし' })
  await decide.click()
  await confirmAdmin(desk)
  await decide.click()
  await expect(desk.getByText('対応を決定しました。')).toBeVisible()
}

const reasonAtSignIn = (page: Page) => page.getByText('利用を停止されました。', { exact: false })

test(
  'a suspension from the page of a person signs out each open page at once, and is undone there',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const person = await registerPerson(server)
    const { token, user } = await sessionOf(server.url, person)
    const staff = await apiOf(server.url, admin)
    const template = { use: 'person', name: 'なりすまし', text: 'ほかの方のお名前は使えません。' }
    await staff.call('PUT', `/admin/templates/${newId()}`, template)
    const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await findPerson(desk, network.url, person)
    await look(desk, 'person')
    await desk.setViewportSize({ width: 1280, height: 800 })

    const second = (await newPhone()).page
    const closed: string[] = []
    for (const it of [page, second]) {
      it.on('websocket', (socket) => socket.on('close', () => closed.push(socket.url())))
      const live = it.waitForEvent('websocket', (socket) => socket.url().includes('/ws/'))
      await signIn(it, network.url, person)
      const socket = await live
      await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('succeeded'))
    }
    await suspendByKeys(desk)
    for (const it of [page, second]) {
      await expect(it).toHaveURL(/\/login/)
      await expect(reasonAtSignIn(it)).toBeVisible()
    }
    await expect.poll(() => closed.length).toBeGreaterThanOrEqual(2)
    const own = { headers: { authorization: `Bearer ${token}` } }
    const refused = async () => {
      const answer = await fetch(`${server.url}/api/auth/session`, own)
      return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code]
    }
    await expect.poll(refused).toEqual([403, 'suspended'])
    await look(page, 'signed out')
    await fillSignIn(page, person)
    await expect(page.getByText('このアカウントは利用を停止されています。', { exact: false })).toBeVisible()

    const list = desk.getByRole('list', { name: '処分の履歴' })
    await expect(list.getByText('2回目')).toBeVisible()
    await look(desk, 'suspended')
    await list.getByRole('button', { name: /を取り消す$/ }).click()
    await desk.getByRole('alertdialog').getByRole('button', { name: '取り消す' }).click()
    await expect(list.getByText('取り消し済み')).toBeVisible()
    const email = await emailTo(server, person.email, '対応の取り消し')
    expect(email.text).toContain('利用停止')
    await expect.poll(refused).toEqual([401, 'unauthenticated'])
    await page.goto(`${network.url}/login`)
    await reasonAtSignIn(page).waitFor()
    await page.getByRole('button', { name: '表示を消す' }).click()
    await expect(reasonAtSignIn(page)).toBeHidden()
    await fillSignIn(page, person)
    await expect(page).toHaveURL(`${network.url}/`)
    const again = await sessionOf(server.url, person)
    expect(again.user.id).toBe(user.id)
  },
)

/** An open post of the author in the reader's list. */
async function openPostOf(author: Api, reader: Api): Promise<{ id: string; content: string }> {
  const { posts } = (await reader.call('GET', `/posts?author=${author.id}&type=1`)) as {
    posts: { id: string; access: { is: string; content?: string } }[]
  }
  const post = posts.find((it) => it.access.is === 'full' && it.access.content)
  if (!post) throw new Error('the demo has no open post of the author')
  return { id: post.id, content: (post.access.content ?? '').split('\n')[0] ?? '' }
}

test(
  'a post of the list of a person is hidden, and is gone from an open page',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const [reader, author] = [await apiOf(server.url, fan), await apiOf(server.url, creator)]
    const post = await openPostOf(author, reader)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/post/${post.id}`)
    await expect(page.getByRole('article').first()).toBeVisible()
    const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await signIn(desk, network.url, admin)
    await desk.goto(personPage(network.url, author.id))
    await desk.getByRole('button', { name: '投稿とコメントを表示' }).click()
    const row = desk.getByRole('listitem').filter({ has: desk.locator(`a[href="/post/${post.id}"]`) })
    await expect(row).toBeVisible()
    await expect(desk.getByText('これまでに処分はありません。')).toBeVisible()
    await look(desk, 'content')
    await row.focus()
    await pressOn(row, 'e')
    const sheet = desk.getByRole('dialog', { name: `${author.name}さんへの対応` })
    await sheet.getByRole('combobox', { name: '違反の内容' }).selectOption({ label: 'プライバシーの侵害' })
    await sheet.getByRole('combobox', { name: '内容への対応' }).selectOption({ label: '非公開' })
    await sheet.getByRole('textbox', { name: '本人へのお知らせ' }).fill('ほかの方の住所が写っています。')
    const decide = sheet.getByRole('button', { name: '決定する' })
    await decide.click()
    await confirmAdmin(desk)
    await decide.click()
    await expect(desk.getByText('対応を決定しました。')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'このページは表示できません' })).toBeVisible()
    await expect(desk.getByText('これまでに処分はありません。')).toBeHidden()
    await desk
      .getByRole('list', { name: '処分の履歴' })
      .getByRole('button', { name: '非公開を取り消す' })
      .click()
    await desk.getByRole('alertdialog').getByRole('button', { name: '取り消す' }).click()
    await expect(desk.getByText('処分を取り消しました。')).toBeVisible()
    await page.goto(`${network.url}/post/${post.id}`)
    await expect(page.getByRole('article').first()).toContainText(post.content)
  },
)

/** A registered person who is a moderator. */
async function moderatorOn(server: Server): Promise<Person> {
  const person = await registerPerson(server)
  const staff = await apiOf(server.url, admin)
  await staff.call('POST', '/auth/validation', { password: admin.password })
  await staff.call('POST', '/admin/staff', { person: person.email, role: 'moderator' })
  return person
}

test(
  'of two moderators on one case the second sees who has it, and a reported moderator sees nothing of theirs',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const [moderator, reader] = [await moderatorOn(server), await apiOf(server.url, fan)]
    const { user: reported } = await sessionOf(server.url, moderator)
    const target = await apiOf(server.url, await registerPerson(server))
    const [detail, ofModerator] = ['知らない人の名前です', 'この運営の人がこわいです']
    await reader.call('PUT', `/reports/person/${target.id}`, { reason: 'impersonation', detail })
    await reader.call('PUT', `/reports/person/${reported.id}`, { reason: 'harassment', detail: ofModerator })
    const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await signIn(desk, network.url, admin)
    await desk.goto(`${network.url}/admin/report?kind=person`)
    const cases = (it: Page) => it.getByRole('list', { name: '通報' }).getByRole('listitem')
    await expect(cases(desk)).toHaveCount(2)

    await signIn(page, network.url, moderator)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${network.url}/admin/report?kind=person`)
    await expect(cases(page)).toHaveCount(1)
    await cases(page).getByRole('link').click()
    await expect(page.getByRole('main').getByText(detail)).toBeVisible()
    await desk
      .getByRole('link', { name: /^ユーザー・夕暮/ })
      .first()
      .click()
    await expect(desk.getByRole('main').getByText(detail)).toBeVisible()
    await desk.getByRole('button', { name: '対応を始める' }).click()
    await expect(desk.getByRole('button', { name: '判断する' })).toBeVisible()
    // The page of the second one shows the case as it was: taking it is refused, and the page says who has it.
    await page.getByRole('button', { name: '対応を始める' }).click()
    await expect(page.getByText('ほかの人が先に対応を始めました。').first()).toBeVisible()
    await expect(page.getByText(/さんが対応中です（/)).toBeVisible()
    await expect(page.getByRole('button', { name: '判断する' })).toBeHidden()

    await page.goto(personPage(network.url, target.id))
    await expect(page.getByText(/さんが対応中です（/)).toBeVisible()
    await expect(page.getByRole('button', { name: '対応する' })).toBeDisabled()
    await look(page, 'taken by another')
    // Of their own page they learn nothing; an admin does.
    await page.goto(personPage(network.url, reported.id))
    await expect(page.getByRole('heading', { name: '活動と通報' })).toBeVisible()
    await expect(page.getByText('した通報')).toBeVisible()
    await expect(page.getByText('受けた通報')).toBeHidden()
    await expect(page.getByRole('heading', { name: '処分' })).toBeHidden()
    await desk.goto(personPage(network.url, reported.id))
    await expect(desk.getByText('受けた通報')).toBeVisible()
    await expect(desk.getByRole('heading', { name: '処分' })).toBeVisible()
    await desk.getByRole('link', { name: '1（通報の一覧を見る）' }).click()
    await cases(desk).getByRole('link').click()
    await expect(desk.getByRole('main').getByText(ofModerator)).toBeVisible()
  },
)
