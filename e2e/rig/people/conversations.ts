// Conversations: written without a browser, and opened in one.
import { newId } from '#contract/ids.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import type { Api } from './api.ts'
import { type Person, signInByCookie } from './people.ts'

/** Opens the conversation with a person as another one. */
export async function openAs(page: Page, url: string, who: Person, otherId: string): Promise<void> {
  await signInByCookie(page, url, who)
  await page.goto(`${url}/chat-messages/${otherId}`)
  await expect(page.getByRole('heading', { level: 1, name: 'メッセージ' })).toBeAttached()
}

/** The field of a new message. */
export const field = (page: Page): Locator => page.getByRole('textbox', { name: 'メッセージを書く' })

/** Writes a message in the open conversation. */
export async function write(page: Page, content: string): Promise<void> {
  await field(page).fill(content)
  await field(page).press('Control+Enter')
}

/** Sends a message without a browser. */
export const sendBy = (from: Api, to: Api, content: string) =>
  from.call('POST', `/conversations/${to.id}/messages`, { id: newId(), content })

/** Both have written, so that the conversation is open. */
export async function openConversation(a: Api, b: Api): Promise<void> {
  await sendBy(a, b, 'はじめまして')
  await sendBy(b, a, 'こんにちは')
}

/** The texts of the messages in their order on the screen. */
export const textsOf = (page: Page) => page.getByRole('article').locator('p[dir=auto]').allTextContents()

interface StoredMessage {
  readonly id: string
  readonly seq: number
  readonly body: { readonly content: string; readonly media: readonly { id: string; kind: string }[] }
}

/** The messages that a person reads from the server, oldest first. */
export async function messagesOf(reader: Api, otherId: string): Promise<readonly StoredMessage[]> {
  const page = await reader.call('GET', `/conversations/${otherId}/messages`)
  return (page as { messages: StoredMessage[] }).messages
}
