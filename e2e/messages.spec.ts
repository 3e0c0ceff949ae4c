// Conversations of two people in two browsers: requests, order, offline, states, unsending.
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolations } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { rowsIn } from './rig/cached.ts'
import { apiOf } from './rig/people/api.ts'
import { field, openAs, openConversation, sendBy, textsOf, write } from './rig/people/conversations.ts'
import { akari, creator, fan, kami, signInByCookie, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Unread messages and their counts would be visible to other stories.
test.use({ ownServer: 'file' })

/** A message on the screen, by its text. */
const bubble = (page: Page, content: string) => page.getByRole('article').getByText(content, { exact: true })

/** Whether the device has queued messages with these texts: its note of what is being written has the last one too. */
const areQueued = (texts: readonly string[]) => async (page: Page) => {
  const rows = await rowsIn(page, 'acts')
  return texts.every((text) => rows.some((it) => it.includes(text)))
}

/** Whether the device has a copy of a conversation with this text. */
const isCopied = (page: Page, text: string) => async () =>
  (await rowsIn(page, 'answers')).some((it) => it.includes(text))

test('a message of a stranger is a request without links; once it is accepted both see it live and read', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const [sender, recipient] = await Promise.all([apiOf(server.url, yuu), apiOf(server.url, akari)])
  // Messages of people whom the recipient follows are no requests.
  await recipient.call('DELETE', `/follows/${sender.id}`)
  const { page } = phone
  await signInByCookie(page, network.url, yuu)
  await page.goto(`${network.url}/profile/${recipient.id}`)
  await page.getByRole('link', { name: `${recipient.name}さんにメッセージを送る` }).click()
  await expect(page.getByText('メッセージリクエストとして届きます。')).toBeVisible()
  await write(page, '応援しています。\nhttps://example.com/a')
  const own = page.getByRole('article', { name: '自分' })
  await expect(own.getByRole('link', { name: 'example.com/a' })).toBeVisible()
  await expect(page.getByText('送信済み')).toBeVisible()

  const other = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
  await signInByCookie(other, network.url, akari)
  await other.goto(`${network.url}/chat-messages/conversations`)
  await expect(other.getByText('まだメッセージはありません')).toBeVisible()
  await other.getByRole('tab', { name: 'リクエスト 1件' }).click()
  await other.getByRole('link', { name: sender.name }).click()
  const request = other.getByRole('region', { name: /からのメッセージリクエストです/ })
  // The list of requests shows the text too, until the conversation is open.
  await expect(other.getByRole('article').getByText('https://example.com/a')).toBeVisible()
  await expect(other.getByRole('article').getByRole('link')).toHaveCount(0)
  await expectNoViolations(other)
  await expect(page.getByText('既読')).toHaveCount(0)
  await request.getByRole('button', { name: '承認する' }).click()
  await expect(other.getByRole('article').getByRole('link', { name: 'example.com/a' })).toBeVisible()
  await write(other, 'ありがとうございます。')
  await expect(page.getByRole('article', { name: recipient.name }).getByText('ありがとう')).toBeVisible()
  await write(page, 'お返事うれしいです。')
  await expect(page.getByText('既読')).toBeVisible()
  await expectNoViolations(page)
  await expect(async () => expect(await textsOf(other)).toEqual(await textsOf(page))).toPass()
})

test('messages written without network wait on the device in their order, survive a reload and arrive once', async ({
  server,
  network,
  phone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
  await openConversation(a, b)
  const { page, context } = phone
  await openAs(page, network.url, fan, b.id)
  await expect(page.getByRole('article').getByText('こんにちは')).toBeVisible()
  network.cut()
  await context.setOffline(true)
  await expect(page.getByText('オフラインです。')).toBeVisible()
  const written = ['トンネルに', '入りました', 'また後で']
  for (const it of written) await write(page, it)
  const waiting = page.getByRole('listitem').filter({ hasText: '接続が戻ると送信します' })
  await expect(waiting).toHaveCount(3)
  await reload(page, areQueued(written))
  await expect(bubble(page, 'こんにちは')).toBeVisible()
  await expect(waiting).toHaveCount(3)
  await sendBy(b, a, 'その間のひとこと')
  network.restore()
  await context.setOffline(false)
  await expect(waiting).toHaveCount(0)
  const expected = ['はじめまして', 'こんにちは', 'その間のひとこと', ...written]
  await expect.poll(() => textsOf(page)).toEqual(expected)
  const { messages } = (await b.call('GET', `/conversations/${a.id}/messages`)) as {
    messages: { seq: number; body: { content: string } }[]
  }
  expect(messages.map((it) => [it.seq, it.body.content])).toEqual(expected.map((it, i) => [i + 1, it]))
})

test('a refused message stays with its reason, and can be sent again or deleted', async ({
  server,
  network,
  phone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, kami), apiOf(server.url, creator)])
  await openConversation(a, b)
  const { page } = phone
  await openAs(page, network.url, kami, b.id)
  await expect(page.getByRole('article').getByText('こんにちは')).toBeVisible()
  // The recipient blocks while the message is on its way.
  await b.call('PUT', `/blocks/${a.id}`)
  await write(page, '届かないことば')
  const main = page.getByRole('main')
  // The page may have read by then that the conversation is closed to its reader, and then shows no messages.
  const told = page.getByRole('alert').filter({ hasText: 'メッセージを送信できませんでした' })
  await expect(told).toContainText('届かないことば')
  await b.call('DELETE', `/blocks/${a.id}`)
  await reload(page, nothingWritten)
  const failed = main.getByRole('listitem').filter({ hasText: '届かないことば' })
  await expect(failed.getByRole('alert')).toContainText('送信できませんでした')
  await failed.getByRole('button', { name: 'もう一度送信' }).click()
  await expect(page.getByRole('article', { name: '自分' }).getByText('届かないことば')).toBeVisible()
  await expect(failed.getByRole('alert')).toHaveCount(0)
})

test('a message is answered, reacted to, unsent for both and deleted for oneself', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, akari), apiOf(server.url, creator)])
  await openConversation(a, b)
  const { page } = phone
  await openAs(page, network.url, akari, b.id)
  const other = (await newPhone()).page
  await openAs(other, network.url, creator, a.id)
  const menuOf = (on: Page, content: string) =>
    on
      .getByRole('article')
      .filter({ hasText: content })
      .getByRole('button', { name: /のメニュー$/ })
  await menuOf(page, 'こんにちは').click()
  await page.getByRole('menuitemcheckbox', { name: /ありがとう/ }).click()
  await expect(other.getByRole('article').getByText(`ありがとう：${a.name}さん`).first()).toBeAttached()
  await menuOf(page, 'こんにちは').click()
  await page.getByRole('menuitem', { name: '返信する' }).click()
  await expect(field(page)).toBeFocused()
  await expect(page.getByText('返信先：こんにちは')).toBeVisible()
  await write(page, 'お元気ですか')
  await expect(other.getByRole('article').filter({ hasText: 'お元気ですか' })).toContainText('こんにちは')

  await menuOf(page, 'お元気ですか').click()
  await page.getByRole('menuitem', { name: '送信を取り消す' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '取り消す' }).click()
  await expect(
    other.getByRole('main').getByText(`${a.name}さんがメッセージの送信を取り消しました`),
  ).toBeVisible()
  await expect(bubble(page, 'お元気ですか')).toHaveCount(0)

  await menuOf(other, 'はじめまして').click()
  await other.getByRole('menuitem', { name: '自分の画面から削除' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
  await expect(bubble(other, 'はじめまして')).toHaveCount(0)
  await expect(bubble(page, 'はじめまして')).toBeVisible()
})

test(
  'a long conversation opens at its end, older messages come without a jump, and few are in the document',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, akari)])
    await openConversation(a, b)
    for (let n = 1; n <= 220; n++) await sendBy(n % 2 === 0 ? a : b, n % 2 === 0 ? b : a, `${n}番目のことば`)
    const { page } = phone
    await openAs(page, network.url, fan, b.id)
    await expect(bubble(page, '220番目のことば')).toBeInViewport()
    const box = page.getByRole('region', { name: /とのメッセージ/ })
    const topOf = (content: string) => bubble(page, content).evaluate((it) => it.getBoundingClientRect().top)
    // The offset from the end stays the same while older pages are added above.
    await box.evaluate((it) => it.scrollTo({ top: -2400 }))
    const seen = await page
      .getByRole('article')
      .evaluateAll(
        (all) => all.find((it) => it.getBoundingClientRect().top > 200)?.querySelector('p')?.textContent,
      )
    const before = await topOf(defined(seen))
    const moved = async () => Math.abs((await topOf(defined(seen))) - before)
    await expect(bubble(page, '160番目のことば')).toBeAttached()
    await expect.poll(moved).toBeLessThanOrEqual(2)
    // A new message does not move what is read.
    await sendBy(b, a, '新しいひとこと')
    await expect(page.getByRole('button', { name: '新着メッセージ' })).toBeVisible()
    await expect.poll(moved).toBeLessThanOrEqual(2)
    await expect
      .poll(async () => {
        await box.evaluate((it) => it.scrollTo({ top: -it.scrollHeight }))
        return bubble(page, 'はじめまして').count()
      })
      .toBe(1)
    await expect.poll(() => page.getByRole('article').count()).toBeLessThan(200)
    await page.getByRole('button', { name: '新着メッセージ' }).click()
    const newest = bubble(page, '新しいひとこと')
    await expect(newest).toBeInViewport()
    // To a message that is far away, and back to the newest one, which is loaded already.
    await page.evaluate(() => window.history.pushState({}, '', `${location.pathname}?seq=60`))
    await expect(bubble(page, '58番目のことば')).toBeInViewport()
    await page.getByRole('button', { name: '最新のメッセージへ' }).click()
    await expect(newest).toBeInViewport()
    // Back from another page, the conversation is where it was, also if that page was still loading.
    await box.evaluate((it) => it.scrollTo({ top: -900 }))
    const left = await topOf('212番目のことば')
    network.once('GET /api/users/', { is: 'delayed', ms: 2000 })
    for (const isLoading of [true, false]) {
      await page.getByRole('link', { name: b.name }).click()
      await (isLoading ? expect(box).toBeHidden() : expect(page.getByRole('tab').first()).toBeVisible())
      await page.goBack()
      await expect.poll(async () => Math.abs((await topOf('212番目のことば')) - left)).toBeLessThanOrEqual(2)
    }
  },
)

test(
  'a word is found in own conversations, and leads to its place among the messages around it',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, yuu), apiOf(server.url, creator)])
    await openConversation(a, b)
    await sendBy(b, a, '合言葉はひまわりです')
    for (let n = 1; n <= 90; n++) await sendBy(n % 2 === 0 ? a : b, n % 2 === 0 ? b : a, `${n}つめ`)
    const { page } = phone
    await signInByCookie(page, network.url, yuu)
    await page.goto(`${network.url}/chat-messages/conversations`)
    // With the copy on the device, the newest messages reach back to the first unread one.
    await expect.poll(isCopied(page, '90つめ')).toBe(true)
    await page.getByRole('link', { name: 'メッセージを検索' }).click()
    const search = page.getByRole('searchbox', { name: 'メッセージのキーワード' })
    await search.fill('ヒマワリ')
    await search.press('Enter')
    const hits = page.getByRole('list', { name: '「ヒマワリ」の検索結果' })
    await expect(hits.getByRole('listitem')).toHaveCount(1)
    await expect(hits.locator('mark')).toHaveText('ひまわり')
    await expectNoViolations(page)
    await page.getByRole('radio', { name: '自分' }).click()
    await expect(page.getByText('「ヒマワリ」は見つかりませんでした')).toBeVisible()
    await page.getByRole('radio', { name: '相手' }).click()
    await hits.getByRole('link', { name: b.name }).click()
    await expect(page).toHaveURL(`${network.url}/chat-messages/${b.id}?seq=3`)
    await expect(bubble(page, '合言葉はひまわりです')).toBeInViewport()
    await expect(bubble(page, '10つめ')).toBeVisible()
    await expect(bubble(page, '90つめ')).toHaveCount(0)
    // To the newest message, which is not among the loaded ones, and not to the first unread one.
    await page.getByRole('button', { name: '最新のメッセージへ' }).click()
    await expect(bubble(page, '90つめ')).toBeInViewport()
  },
)

test('messages of a person who has blocked the reader can still be reported', async ({
  server,
  network,
  phone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, kami), apiOf(server.url, akari)])
  await openConversation(a, b)
  await sendBy(b, a, '後悔させてやる')
  await b.call('PUT', `/blocks/${a.id}`)
  const { page } = phone
  await signInByCookie(page, network.url, kami)
  await page.goto(`${network.url}/chat-messages/${b.id}`)
  await page.getByRole('button', { name: '届いたメッセージを通報' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('listitem')).toHaveCount(2)
  await expectNoViolations(page)
  await sheet.getByRole('button', { name: '後悔させてやる' }).click()
  await expect(sheet.getByText('このメッセージと前後のやりとり')).toBeVisible()
  await sheet.getByRole('radio', { name: /嫌がらせ/ }).click()
  await sheet.getByRole('button', { name: '通報する' }).click()
  await expect(sheet.getByText('通報を受け付けました')).toBeVisible()
  await b.call('DELETE', `/blocks/${a.id}`)
})

test('a conversation in which one may not write does not invite to write', async ({
  server,
  network,
  phone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, kami), apiOf(server.url, yuu)])
  const { page } = phone
  await signInByCookie(page, network.url, kami)
  await page.goto(`${network.url}/chat-messages/${b.id}`)
  const invitation = page.getByText('さんにメッセージを送ってみましょう。')
  await expect(invitation).toBeVisible()
  await b.call('PATCH', '/settings/privacy', { message_from: 'nobody' })
  await page.goto(`${network.url}/chat-messages/${b.id}`)
  await expect(page.getByText('この相手にはメッセージを送れません。')).toBeVisible()
  await expect(invitation).toHaveCount(0)
  await b.call('PATCH', '/settings/privacy', { message_from: 'everyone' })
  await page.goto(`${network.url}/chat-messages/${a.id}`)
  await expect(page).toHaveURL(/\/chat-messages\/conversations$/)
})
