// Typing and presence of two people of a conversation, in two browsers.
import type { Locator, Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolations } from './rig/axe.ts'
import { pressOn } from './rig/browsers/keyboard.ts'
import { closePage, nothingWritten, reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { akari, creator, fan, type Person, signInByCookie, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Settings and messages would be visible to other stories.
test.use({ ownServer: 'file' })

async function openAs(page: Page, url: string, who: Person, otherId: string): Promise<void> {
  await signInByCookie(page, url, who)
  await page.goto(`${url}/chat-messages/${otherId}`)
  await expect(page.getByRole('heading', { level: 1, name: 'メッセージ' })).toBeAttached()
}

const field = (page: Page): Locator => page.getByRole('textbox', { name: 'メッセージを書く' })
const typing = (page: Page): Locator => page.getByText('入力中…')

const sendBy = (from: Api, to: Api, content: string) =>
  from.call('POST', `/conversations/${to.id}/messages`, { id: newId(), content })

async function openConversation(a: Api, b: Api): Promise<void> {
  await sendBy(a, b, 'はじめまして')
  await sendBy(b, a, 'こんにちは')
}

/** Waits until the page has joined the channel of its conversation. */
async function joined(page: Page, open: () => Promise<void>): Promise<void> {
  const reply = page.waitForResponse(
    (it) =>
      it.url().endsWith('/broadcasting/auth') &&
      (it.request().postData() ?? '').includes('presence-conversation'),
  )
  await open()
  // Settled: the status of a reply.
  expect((await reply).status()).toBe(200)
}

test(
  'typing appears to the other person, and ends with the message or by itself',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
    await openConversation(a, b)
    const { page } = phone
    const other = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await joined(page, () => openAs(page, network.url, fan, b.id))
    await joined(other, () => openAs(other, network.url, creator, a.id))
    await field(other).pressSequentially('お返事', { delay: 50 })
    await expect(typing(page)).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: `${b.name}さんが入力しています` })).toBeAttached()
    await expectNoViolations(page)
    await expect(typing(other)).toHaveCount(0)
    await field(other).press('Control+Enter')
    await expect(page.getByRole('article').getByText('お返事', { exact: true })).toBeVisible()
    await expect(typing(page)).toHaveCount(0)
    // By itself, after a text that is not sent.
    await field(page).pressSequentially('あ')
    await expect(typing(other)).toBeVisible()
    await expect(typing(other)).toHaveCount(0)
  },
)

test(
  'who sends no read marks neither shows typing nor sees it',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, yuu), apiOf(server.url, creator)])
    await openConversation(a, b)
    await a.call('PATCH', '/settings/privacy', { sends_read_marks: false })
    const { page } = phone
    const other = (await newPhone()).page
    const asked: string[] = []
    for (const it of [page, other])
      it.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
    await openAs(page, network.url, yuu, b.id)
    await openAs(other, network.url, creator, a.id)
    // Each has joined the channel of its person, so it would have asked for that of the conversation.
    await expect.poll(() => asked.filter((it) => it.includes('private-person'))).toHaveLength(2)
    await field(other).pressSequentially('見えない', { delay: 50 })
    await sendBy(a, b, 'ひとこと')
    await expect(other.getByRole('article').getByText('ひとこと', { exact: true })).toBeVisible()
    expect(asked.filter((it) => it.includes('presence-conversation'))).toEqual([])
    await expect(typing(page)).toHaveCount(0)
  },
)

test(
  '最終ログイン is shown only after both have turned it on',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, akari), apiOf(server.url, creator)])
    await openConversation(a, b)
    const { page } = phone
    const other = (await newPhone()).page
    await openAs(other, network.url, creator, a.id)
    await signInByCookie(page, network.url, akari)
    await page.goto(`${network.url}/settings/privacy-and-security`)
    const choice = page.getByRole('switch', { name: '最終ログインを表示する' })
    await expect(choice).not.toBeChecked()
    const stored = page.waitForResponse((it) => it.request().method() === 'PATCH')
    await choice.click()
    await stored
    await page.goto(`${network.url}/chat-messages/${b.id}`)
    const head = page.getByRole('banner').getByRole('link', { name: b.name })
    await expect(head).toBeVisible()
    await expect(page.getByRole('article').getByText('こんにちは')).toBeVisible()
    await expect(head).not.toContainText('オンライン')
    await b.call('PATCH', '/settings/privacy', { shows_presence: true })
    await reload(page, nothingWritten)
    await expect(head).toContainText('オンライン')
    await page.getByRole('button', { name: `${b.name}さんとのトークのメニュー` }).click()
    const menu = page.getByRole('menu')
    await expect(menu).toContainText('オンライン')
    await pressOn(menu, 'Escape')
    // The page reads it at its opening and then once a minute; the live connection of the other page may open later.
    await expect(async () => {
      await reload(other, nothingWritten)
      const link = other.getByRole('banner').getByRole('link', { name: a.name })
      await expect(link).toContainText('オンライン', { timeout: 5000 })
    }).toPass()
    await closePage(other, nothingWritten)
    // The server notices the end of a connection a moment later.
    await expect(async () => {
      await reload(page, nothingWritten)
      await expect(head).toContainText(/最終ログイン (たった今|\d分前)/, { timeout: 5000 })
    }).toPass()
    await expectNoViolations(page)
  },
)
