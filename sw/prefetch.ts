// Prefetches into the response cache what the page of a notification needs.
import { listComments } from '#contract/posts/comments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listFollows } from '#contract/people/follows.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { getConversation } from '#contract/messages/conversations.ts'
import { listMessages } from '#contract/messages/messages.ts'
import { getProfile } from '#contract/people/people.ts'
import { getPost } from '#contract/posts/posts.ts'
import { targetOf } from '#contract/notifications/targets.ts'
import type { PushData } from '#contract/notifications/push-payload.ts'
import { responseKey, oneKey, pagesKey, type ReadingKey } from '#contract/search/reading-keys.ts'
import { copyKey, copyOf, type readCopy, withOlder } from '#device/cache/message-copies.ts'
import type { NewResponse } from '#device/cache/response-row.ts'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'

export interface PrefetchPorts {
  readonly callApi: ApiCall
  readonly save: (answer: NewResponse) => Promise<boolean>
  readonly now: () => number
}

export interface CopyPorts extends PrefetchPorts {
  readonly readCopy: typeof readCopy
}

export type NotificationPage = ReplyOf<typeof listNotifications>

type StoreReply = (key: ReadingKey, value: unknown) => Promise<unknown>

/**
 * Fetches with the session of the recipient. A failed request is left out: the page sends it again.
 * @returns the first page of the list, which has the current read marks
 */
export async function prefetchTarget(
  { callApi, save, now }: PrefetchPorts,
  data: PushData,
  session: Session,
): Promise<NotificationPage | undefined> {
  const { token, user } = session
  const at = now()
  const storeReply: StoreReply = (key, value) =>
    value === undefined
      ? Promise.resolve()
      : save({
          ownerId: user.id,
          key: responseKey(key),
          value,
          at,
        }).catch(() => false)
  const target = new URL(targetOf(data), 'https://app')
  const [notifications] = await Promise.all([
    prefetchList(callApi, token, storeReply),
    prefetchPage(callApi, token, storeReply, target),
  ])
  return notifications
}

/**
 * Fetches the conversation of a message with the session of the recipient, so that it opens without network: its state
 * and its newest messages, beside the older ones that are stored. A failed request is left out.
 */
export async function prefetchConversation(
  { callApi, save, readCopy: stored, now }: CopyPorts,
  userId: string,
  { token, user }: Session,
): Promise<void> {
  const params = { user_id: userId }
  const at = now()
  const store = async (key: string, value: unknown) => void (await save({ ownerId: user.id, key, value, at }))
  const [view, page] = await Promise.all([
    callApi(getConversation, { params }, token),
    callApi(listMessages, { params }, token),
  ])
  if (view) await store(responseKey(oneKey(getConversation, { params })), view)
  if (page) await store(copyKey(userId), copyOf(withOlder(page, (await stored(user.id, userId))?.page)))
}

const firstPage = (reply: unknown, param: unknown) => reply && { pages: [reply], pageParams: [param] }

async function prefetchList(
  callApi: ApiCall,
  token: string,
  storeReply: StoreReply,
): Promise<NotificationPage | undefined> {
  const reply = await callApi(listNotifications, {}, token)
  await storeReply(pagesKey(listNotifications, {}), firstPage(reply, null))
  return reply
}

async function prefetchPage(
  callApi: ApiCall,
  token: string,
  storeReply: StoreReply,
  target: URL,
): Promise<void> {
  const [, section, id = ''] = target.pathname.split('/')
  const query = target.searchParams
  if (section === 'post') {
    const params = { post_id: id }
    const marked = query.get('uidr') ?? query.get('uidc') ?? undefined
    const around = marked === undefined ? {} : { around: marked }
    const [post, comments] = await Promise.all([
      callApi(getPost, { params }, token),
      callApi(listComments, { params, query: around }, token),
    ])
    await storeReply(oneKey(getPost, { params }), post)
    // A viewer with only a preview is refused the comments.
    await storeReply(pagesKey(listComments, { postId: id, ...around }), firstPage(comments, around))
  } else if (section === 'profile' && id === 'follow') {
    const params = { user_id: query.get('uid') ?? '', list: 'followers' as const }
    const people = await callApi(listFollows, { params }, token)
    await storeReply(pagesKey(listFollows, { params }), firstPage(people, null))
  } else if (section === 'profile') {
    const params = { user_id: id }
    await storeReply(oneKey(getProfile, { params }), await callApi(getProfile, { params }, token))
  }
}
