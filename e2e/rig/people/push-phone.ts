// The creator's phone with pushes allowed, and pushes to each destination of the specification.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { type PushData, type PushPayload } from '#contract/notifications/push-payload.ts'
import { creator, signInByCookie } from '#e2e/rig/people/people.ts'
import type { Phone } from '#e2e/rig/browsers/phone.ts'
import { expect } from '@playwright/test'

/** The creator's browser, with pushes allowed and the settings open. */
export async function readyPhone(phone: Phone, url: string): Promise<Page> {
  const { page, context } = phone
  await context.grantPermissions(['notifications'])
  await signInByCookie(page, url, creator)
  await page.goto(`${url}/settings/notification`)
  await expect(page.getByRole('heading', { name: 'この端末への通知' })).toBeVisible()
  await page.evaluate(async () => navigator.serviceWorker.ready)
  return page
}

const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length)
/** The app's windows, by the page they show. */
export const windows = ({ context }: Phone, url: string) =>
  context
    .pages()
    .filter((it) => it.url().startsWith(url))
    .map(pathOf)

const [them, comment, reply] = [newId(), newId(), newId()]

export interface Row {
  readonly is: Partial<PushData> & { readonly setting_cd: string }
  /** As in the specification, with `P` for the post, independent of the product's own table. */
  readonly leads: string
}

const gone = { post_deleted: true }
const answer = { target_sub_1_id: reply, target_sub_2_id: comment }
/** Every row of the specification's table, section 2. No two that follow each other lead to the same page. */
export const rows: readonly Row[] = [
  { is: { setting_cd: 'message' }, leads: `/chat-messages/${them}` },
  { is: { setting_cd: 'like_post' }, leads: '/post/P' },
  { is: { setting_cd: 'like_post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'like_comment', target_sub_1_id: comment }, leads: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'like_comment', ...answer }, leads: `/post/P?uidc=${comment}&uidr=${reply}` },
  { is: { setting_cd: 'like_comment', ...answer, ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'comment', target_sub_1_id: comment }, leads: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'comment', target_sub_1_id: comment, ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'reply_comment', ...answer }, leads: `/post/P?uidc=${comment}&uidr=${reply}` },
  { is: { setting_cd: 'reply_comment', ...answer, ...gone }, leads: `/profile/${them}` },
  // Not in that table: the text with the mention.
  { is: { setting_cd: 'mention', target_sub_1_id: comment }, leads: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'post' }, leads: '/post/P' },
  { is: { setting_cd: 'post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'buy_post' }, leads: '/post/P' },
  { is: { setting_cd: 'buy_post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'plan_post' }, leads: '/post/P' },
  { is: { setting_cd: 'plan_post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'follow', to_user_id: them }, leads: `/profile/follow?uid=${them}&list=followers` },
  { is: { setting_cd: 'plan' }, leads: '/plan' },
  { is: { setting_cd: 'of_a_later_version' }, leads: '/notify' },
]

/** What the server sends for a notification. */
export function payloadOf(
  it: Partial<PushData> & { setting_cd: string },
  title: string,
  url: string,
): PushPayload {
  const data: PushData = {
    idol_id: them,
    target_id: newId(),
    target_sub_1_id: null,
    target_sub_2_id: null,
    to_user_id: null,
    post_deleted: false,
    notification_id: newId(),
    user_id: newId(),
    ...it,
  }
  const tag = `notification-${data.notification_id}`
  const notification = { title, body: '本文', lang: 'ja', dir: 'ltr', tag, navigate: url, data } as const
  return { web_push: 8030, mutable: true, notification, app_badge: 1 }
}
