// Targets of notifications (specification section 2), each in the real route tree.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { type NotificationEntity, notificationEntity, targetOf } from './targets.ts'
import { settingCodes } from './setting-codes.ts'
import * as v from 'valibot'

const [idol, target, sub1, sub2, to] = Array.from({ length: 5 }, newId) as [
  string,
  string,
  string,
  string,
  string,
]

const entity = (setting_cd: string, more: Partial<NotificationEntity> = {}): NotificationEntity => ({
  setting_cd,
  idol_id: idol,
  target_id: target,
  target_sub_1_id: null,
  target_sub_2_id: null,
  to_user_id: to,
  post_deleted: false,
  ...more,
})

/** As the specification has them: the row, what the notification carries beside its ids, and where it leads. */
const rows: readonly (readonly [code: string, more: Partial<NotificationEntity>, target: string])[] = [
  ['message', {}, `/chat-messages/${idol}`],
  ['like_post', {}, `/post/${target}`],
  ['post', {}, `/post/${target}`],
  ['buy_post', {}, `/post/${target}`],
  ['plan_post', {}, `/post/${target}`],
  ['like_post', { post_deleted: true }, `/profile/${idol}`],
  ['post', { post_deleted: true }, `/profile/${idol}`],
  ['buy_post', { post_deleted: true }, `/profile/${idol}`],
  ['plan_post', { post_deleted: true }, `/profile/${idol}`],
  ['like_comment', { target_sub_1_id: sub1 }, `/post/${target}?uidc=${sub1}`],
  ['comment', { target_sub_1_id: sub1 }, `/post/${target}?uidc=${sub1}`],
  [
    'like_comment',
    { target_sub_1_id: sub1, target_sub_2_id: sub2 },
    `/post/${target}?uidc=${sub2}&uidr=${sub1}`,
  ],
  ['comment', { target_sub_1_id: sub1, target_sub_2_id: sub2 }, `/post/${target}?uidc=${sub2}&uidr=${sub1}`],
  [
    'reply_comment',
    { target_sub_1_id: sub1, target_sub_2_id: sub2 },
    `/post/${target}?uidc=${sub2}&uidr=${sub1}`,
  ],
  ['reply_comment', { target_sub_1_id: sub1 }, `/post/${target}?uidc=${sub1}`],
  ['mention', {}, `/post/${target}`],
  ['mention', { target_sub_1_id: sub1 }, `/post/${target}?uidc=${sub1}`],
  ['mention', { target_sub_1_id: sub1, target_sub_2_id: sub2 }, `/post/${target}?uidc=${sub2}&uidr=${sub1}`],
  ['mention', { target_sub_1_id: sub1, post_deleted: true }, `/profile/${idol}`],
  ['comment', { target_sub_1_id: sub1, post_deleted: true }, `/profile/${idol}`],
  ['like_comment', { target_sub_1_id: sub1, post_deleted: true }, `/profile/${idol}`],
  ['reply_comment', { target_sub_1_id: sub1, target_sub_2_id: sub2, post_deleted: true }, `/profile/${idol}`],
  ['follow', {}, `/profile/follow?uid=${to}&list=followers`],
  ['plan', {}, '/plan'],
  ['identity', {}, '/notify'],
  ['notice', {}, '/notify'],
  ['a code of a later version', {}, '/notify'],
  ['', {}, '/notify'],
]

const routeTree = readFileSync(path.join(import.meta.dirname, '../../src/routeTree.gen.ts'), 'utf8')
const list = defined(routeTree.split('interface FileRoutesByTo {')[1]?.split('}')[0])
const routes = list.split('\n').flatMap((line) => /^'([^']+)':/.exec(line.trimStart())?.[1] ?? [])

/** The most particular route whose pattern a path has, as the router chooses. */
function routeOf(href: string): string | undefined {
  const segments = new URL(href, 'https://todoke.example').pathname.split('/')
  const fits = (route: string) => {
    const parts = route.split('/')
    return (
      parts.length === segments.length && parts.every((it, i) => it.startsWith('$') || it === segments[i])
    )
  }
  return routes.filter(fits).toSorted((a, b) => a.split('$').length - b.split('$').length)[0]
}

describe('click targets', () => {
  test.each(rows)('%s %o leads to %s', (code, more, expected) => {
    expect(targetOf(entity(code, more))).toBe(expected)
  })

  test('every code of the closed list has a row in this table', () => {
    expect(settingCodes.filter((code) => !rows.some(([it]) => it === code))).toEqual([])
  })

  test.each(rows)('%s %o leads to an existing page', (code, more) => {
    expect(routeOf(targetOf(entity(code, more)))).toBeDefined()
  })

  test('the query of a target is one that its page reads', () => {
    const read = (file: string) =>
      readFileSync(path.join(import.meta.dirname, '../../src/routes', file), 'utf8')
    expect(['uidc:', 'uidr:'].filter((it) => !read('post/$id.tsx').includes(it))).toEqual([])
    expect(['uid:', 'list:'].filter((it) => !read('profile/follow.tsx').includes(it))).toEqual([])
  })

  test('a notification without the id of its target leads to the list', () => {
    const bare = { idol_id: null, target_id: null, to_user_id: null }
    expect(targetOf(entity('message', bare))).toBe('/notify')
    expect(targetOf(entity('like_post', bare))).toBe('/notify')
    expect(targetOf(entity('comment', { ...bare, target_sub_1_id: sub1 }))).toBe('/notify')
    expect(targetOf(entity('post', { ...bare, post_deleted: true }))).toBe('/notify')
    expect(targetOf(entity('follow', bare))).toBe('/profile/follow?list=followers')
  })

  test('a value that is no id is never put into a path, nor is a code', () => {
    const hostile = ['../admin', '//evil.example', 'javascript:alert(1)', '%2e%2e', `${target}/..`, '']
    for (const it of hostile) {
      for (const field of ['idol_id', 'target_id', 'target_sub_1_id', 'target_sub_2_id', 'to_user_id'])
        expect(v.is(notificationEntity, { ...entity('post'), [field]: it })).toBe(false)
      expect(targetOf(entity(it))).toBe('/notify')
    }
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(targetOf(entity(name))).toBe('/notify')
  })
})
