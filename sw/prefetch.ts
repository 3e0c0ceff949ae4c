// Prefetches what a notification's page needs into the response cache.
import { listComments } from '#contract/posts/comments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listFollows } from '#contract/people/follows.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { getProfile } from '#contract/people/people.ts'
import { getPost } from '#contract/posts/posts.ts'
import { targetOf } from '#contract/notifications/targets.ts'
import type { PushData } from '#contract/notifications/push-payload.ts'
import { answerKey, oneKey, pagesKey, type ReadingKey } from '#contract/search/reading-keys.ts'
import type { NewResponse } from '#device/cache/response-row.ts'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'

export interface PrefetchPorts {
  readonly ask: ApiCall
  readonly save: (answer: NewResponse) => Promise<boolean>
  readonly now: () => number
}

export type NotificationPage = ReplyOf<typeof listNotifications>

type Keep = (key: ReadingKey, value: unknown) => Promise<unknown>

/**
 * Fetches in the name of the person the notification is for. What cannot be had is left out: the page asks again.
 * @returns the first page of the list, which has the current read marks
 */
export async function prefetchTarget(
  { ask, save, now }: PrefetchPorts,
  data: PushData,
  session: Session,
): Promise<NotificationPage | undefined> {
  const { token, user } = session
  const at = now()
  const keep: Keep = (key, value) =>
    value === undefined
      ? Promise.resolve()
      : save({
          ownerId: user.id,
          key: answerKey(key),
          value,
          at,
        }).catch(() => false)
  const target = new URL(targetOf(data), 'https://app')
  const [lines] = await Promise.all([list(ask, token, keep), page(ask, token, keep, target)])
  return lines
}

const firstPage = (read: unknown, param: unknown) => read && { pages: [read], pageParams: [param] }

async function list(ask: ApiCall, token: string, keep: Keep): Promise<NotificationPage | undefined> {
  const read = await ask(listNotifications, {}, token)
  await keep(pagesKey(listNotifications, {}), firstPage(read, null))
  return read
}

async function page(ask: ApiCall, token: string, keep: Keep, target: URL): Promise<void> {
  const [, section, id = ''] = target.pathname.split('/')
  const query = target.searchParams
  if (section === 'post') {
    const params = { post_id: id }
    const marked = query.get('uidr') ?? query.get('uidc') ?? undefined
    const around = marked === undefined ? {} : { around: marked }
    const [post, comments] = await Promise.all([
      ask(getPost, { params }, token),
      ask(listComments, { params, query: around }, token),
    ])
    await keep(oneKey(getPost, { params }), post)
    // A viewer with only a preview is refused the comments.
    await keep(pagesKey(listComments, { postId: id, ...around }), firstPage(comments, around))
  } else if (section === 'profile' && id === 'follow') {
    const params = { user_id: query.get('uid') ?? '', list: 'followers' as const }
    const people = await ask(listFollows, { params }, token)
    await keep(pagesKey(listFollows, { params }), firstPage(people, null))
  } else if (section === 'profile') {
    const params = { user_id: id }
    await keep(oneKey(getProfile, { params }), await ask(getProfile, { params }, token))
  }
}
