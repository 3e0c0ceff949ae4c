// The creator's phone with pushes allowed, and a push for each destination of the specification.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { type PushData, type PushPayload } from '#contract/notifications/push-payload.ts'
import { creator, signInByCookie } from '#e2e/rig/people/people.ts'
import type { Phone } from '#e2e/rig/browsers/phone.ts'
import { expect } from '@playwright/test'

/** Signs in as the creator, allows pushes and opens the settings. */
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
/** The pages of the app's windows. */
export const windows = ({ context }: Phone, url: string) =>
  context
    .pages()
    .filter((it) => it.url().startsWith(url))
    .map(pathOf)

const [actor, comment, reply] = [newId(), newId(), newId()]

export interface Row {
  readonly is: Partial<PushData> & { readonly setting_cd: string }
  /** As in the specification, with `P` for the post, independent of the product's own table. */
  readonly destination: string
}

const deleted = { post_deleted: true }
const replyIds = { target_sub_1_id: reply, target_sub_2_id: comment }
/** Every row of the specification's table, section 2. Consecutive rows have different destinations. */
export const rows: readonly Row[] = [
  { is: { setting_cd: 'message' }, destination: `/chat-messages/${actor}` },
  { is: { setting_cd: 'like_post' }, destination: '/post/P' },
  { is: { setting_cd: 'like_post', ...deleted }, destination: `/profile/${actor}` },
  { is: { setting_cd: 'like_comment', target_sub_1_id: comment }, destination: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'like_comment', ...replyIds }, destination: `/post/P?uidc=${comment}&uidr=${reply}` },
  { is: { setting_cd: 'like_comment', ...replyIds, ...deleted }, destination: `/profile/${actor}` },
  { is: { setting_cd: 'comment', target_sub_1_id: comment }, destination: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'comment', target_sub_1_id: comment, ...deleted }, destination: `/profile/${actor}` },
  { is: { setting_cd: 'reply_comment', ...replyIds }, destination: `/post/P?uidc=${comment}&uidr=${reply}` },
  { is: { setting_cd: 'reply_comment', ...replyIds, ...deleted }, destination: `/profile/${actor}` },
  // Not in that table: opens the text with the mention.
  { is: { setting_cd: 'mention', target_sub_1_id: comment }, destination: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'post' }, destination: '/post/P' },
  { is: { setting_cd: 'post', ...deleted }, destination: `/profile/${actor}` },
  { is: { setting_cd: 'buy_post' }, destination: '/post/P' },
  { is: { setting_cd: 'buy_post', ...deleted }, destination: `/profile/${actor}` },
  { is: { setting_cd: 'plan_post' }, destination: '/post/P' },
  { is: { setting_cd: 'plan_post', ...deleted }, destination: `/profile/${actor}` },
  {
    is: { setting_cd: 'follow', to_user_id: actor },
    destination: `/profile/follow?uid=${actor}&list=followers`,
  },
  { is: { setting_cd: 'plan' }, destination: '/plan' },
  { is: { setting_cd: 'of_a_later_version' }, destination: '/notify' },
]

/** The payload that the server sends for a notification. */
export function payloadOf(
  it: Partial<PushData> & { setting_cd: string },
  title: string,
  url: string,
): PushPayload {
  const data: PushData = {
    idol_id: actor,
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
