// Tests that the target of a notification is prefetched for its recipient.
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { PushData } from '#contract/notifications/push-payload.ts'
import type { NewResponse } from '#device/cache/response-row.ts'
import { copyKey, copyOf } from '#device/cache/message-copies.ts'
import { messagePage, range } from '#device/testing/messages.ts'
import { prefetchConversation, prefetchTarget } from './prefetch.ts'
import type { ApiCall } from './api-call.ts'

const [me, author, post, comment, reply] = [newId(), newId(), newId(), newId(), newId()]
const user = { id: me, email: 'a@b.example', name: '私', avatar_url: null, role: 'member' as const }

async function prefetched(
  it: Partial<PushData>,
  failing: readonly string[] = [],
  replies: Record<string, unknown> = {},
) {
  const requests: string[] = []
  const saved: NewResponse[] = []
  const callApi = (async (endpoint: Endpoint, args: object, token: string) => {
    requests.push(`${endpoint.name} ${JSON.stringify(args)} ${token}`)
    return failing.includes(endpoint.name) ? undefined : (replies[endpoint.name] ?? { from: endpoint.name })
  }) as unknown as ApiCall
  const save = async (response: NewResponse) => Boolean(saved.push(response))
  const data: PushData = {
    setting_cd: 'comment',
    idol_id: author,
    target_id: post,
    target_sub_1_id: null,
    target_sub_2_id: null,
    to_user_id: null,
    post_deleted: false,
    notification_id: newId(),
    user_id: me,
    ...it,
  }
  await prefetchTarget({ callApi, save, now: () => 7 }, data, { token: 't', user })
  return { requests, saved, keys: saved.map((response) => response.key).toSorted() }
}
const list = '["listNotifications","pages",{}]'

test('the post of a reply and the comments around it are stored under the keys of the page’s own requests', async () => {
  const { requests, saved, keys } = await prefetched({
    setting_cd: 'reply_comment',
    target_sub_1_id: reply,
    target_sub_2_id: comment,
  })
  expect(keys).toEqual([
    `["getPost","one",{"params":{"post_id":"${post}"}}]`,
    `["listComments","pages",{"around":"${reply}","postId":"${post}"}]`,
    list,
  ])
  expect(requests.every((it) => it.endsWith(' t'))).toBe(true)
  expect(saved.every((it) => it.ownerId === me && it.at === 7)).toBe(true)
  expect(saved.find((it) => it.key.includes('listComments'))?.value).toEqual({
    pages: [{ from: 'listComments' }],
    pageParams: [{ around: reply }],
  })
})

test('refused comments are not stored, as for a viewer who sees only a preview', async () => {
  const { keys } = await prefetched({ setting_cd: 'post' }, ['listComments'])
  expect(keys).toEqual([`["getPost","one",{"params":{"post_id":"${post}"}}]`, list])
})

test.each([
  [{ post_deleted: true }, `["getProfile","one",{"params":{"user_id":"${author}"}}]`],
  [
    { setting_cd: 'follow', to_user_id: me },
    `["listFollows","pages",{"params":{"list":"followers","user_id":"${me}"}}]`,
  ],
])('for %o the reply of %s is prefetched', async (it, key) => {
  expect((await prefetched(it)).keys).toEqual([key, list].toSorted())
})

test('without a network no reply is stored, and the prefetch does not fail', async () => {
  expect((await prefetched({}, ['getPost', 'listComments', 'listNotifications'])).keys).toEqual([])
})

/** Prefetches the messages with a person, of which the device has an older page. */
async function prefetchedMessages(replies: Record<string, unknown>) {
  const saved = new Map<string, unknown>()
  const ports = {
    callApi: (async (endpoint: Endpoint) => replies[endpoint.name]) as unknown as ApiCall,
    save: async ({ key, value }: NewResponse) => Boolean(saved.set(key, value)),
    readCopy: async () => ({ page: messagePage(range(1, 60)), at: 1 }),
    now: () => 7,
  }
  await prefetchConversation(ports, author, { token: 't', user })
  return saved
}

test('the conversation of a message is stored with the older messages that the device has', async () => {
  const view = { from: 'getConversation' }
  const newest = messagePage(range(51, 70), { has_before: true })
  const saved = await prefetchedMessages({ getConversation: view, listMessages: newest })
  expect(saved.get(`["getConversation","one",{"params":{"user_id":"${author}"}}]`)).toBe(view)
  expect(saved.get(copyKey(author))).toEqual(copyOf(messagePage(range(1, 70))))
})

test('without a network nothing of the conversation is replaced', async () => {
  expect((await prefetchedMessages({})).size).toBe(0)
})
