// Conversations of two demo people, opened in a browser or written to without one.
import { expect, type Locator, type Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import type { Api } from './api.ts'
import { type Person, signInByCookie } from './people.ts'

/** Opens the conversation with a person as another one. */
export async function openConversationAs(
  page: Page,
  url: string,
  who: Person,
  otherId: string,
): Promise<void> {
  await signInByCookie(page, url, who)
  await page.goto(`${url}/chat-messages/${otherId}`)
  await expect(messageField(page)).toBeVisible()
}

export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'メッセージを書く' })

/** Both write, so that the conversation is no message request. */
export async function bothWrite(a: Api, b: Api): Promise<void> {
  await a.call('POST', `/conversations/${b.id}/messages`, { id: newId(), content: 'はじめまして' })
  await b.call('POST', `/conversations/${a.id}/messages`, { id: newId(), content: 'こんにちは' })
}

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
