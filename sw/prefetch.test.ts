// The target of a notification is prefetched for its recipient.
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { PushData } from '#contract/notifications/push-payload.ts'
import type { NewResponse } from '#device/cache/response-row.ts'
import { prefetchTarget } from './prefetch.ts'
import type { ApiCall } from './api-call.ts'

const [me, them, post, comment, reply] = [newId(), newId(), newId(), newId(), newId()]
const user = { id: me, email: 'a@b.example', name: '私', avatar_url: null, role: 'member' as const }

async function warmed(
  it: Partial<PushData>,
  refused: readonly string[] = [],
  replies: Record<string, unknown> = {},
) {
  const asked: string[] = []
  const saved: NewResponse[] = []
  const ask = (async (endpoint: Endpoint, args: object, token: string) => {
    asked.push(`${endpoint.name} ${JSON.stringify(args)} ${token}`)
    return refused.includes(endpoint.name) ? undefined : (replies[endpoint.name] ?? { said: endpoint.name })
  }) as unknown as ApiCall
  const save = async (answer: NewResponse) => Boolean(saved.push(answer))
  const data: PushData = {
    setting_cd: 'comment',
    idol_id: them,
    target_id: post,
    target_sub_1_id: null,
    target_sub_2_id: null,
    to_user_id: null,
    post_deleted: false,
    notification_id: newId(),
    user_id: me,
    ...it,
  }
  await prefetchTarget({ ask, save, now: () => 7 }, data, { token: 't', user })
  return { asked, saved, keys: saved.map((answer) => answer.key).toSorted() }
}
const list = '["listNotifications","pages",{}]'

test('a reply’s post and the comments around it are kept as the page will ask for them', async () => {
  const { asked, saved, keys } = await warmed({
    setting_cd: 'reply_comment',
    target_sub_1_id: reply,
    target_sub_2_id: comment,
  })
  expect(keys).toEqual([
    `["getPost","one",{"params":{"post_id":"${post}"}}]`,
    `["listComments","pages",{"around":"${reply}","postId":"${post}"}]`,
    list,
  ])
  expect(asked.every((it) => it.endsWith(' t'))).toBe(true)
  expect(saved.every((it) => it.ownerId === me && it.at === 7)).toBe(true)
  expect(saved.find((it) => it.key.includes('listComments'))?.value).toEqual({
    pages: [{ said: 'listComments' }],
    pageParams: [{ around: reply }],
  })
})

test('whoever sees a preview alone has no comments to keep', async () => {
  const { keys } = await warmed({ setting_cd: 'post' }, ['listComments'])
  expect(keys).toEqual([`["getPost","one",{"params":{"post_id":"${post}"}}]`, list])
})

test.each([
  [{ post_deleted: true }, `["getProfile","one",{"params":{"user_id":"${them}"}}]`],
  [
    { setting_cd: 'follow', to_user_id: me },
    `["listFollows","pages",{"params":{"list":"followers","user_id":"${me}"}}]`,
  ],
])('%o is warmed as %s', async (it, key) => {
  expect((await warmed(it)).keys).toEqual([key, list].toSorted())
})

test('without a network nothing is kept, and nothing fails', async () => {
  expect((await warmed({}, ['getPost', 'listComments', 'listNotifications'])).keys).toEqual([])
})
