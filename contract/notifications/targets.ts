// Where a notification leads, for the list, pushes and emails (specification section 2).
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { settingCd, type SettingCd } from './setting-codes.ts'

/** What every notification carries (specification section 3). An unknown code leads to the list. */
export const notificationEntity = v.object({
  setting_cd: v.pipe(v.string(), v.maxLength(40)),
  /** Who did it. */
  idol_id: v.nullable(id),
  /** The post; for other codes what they are about. */
  target_id: v.nullable(id),
  /** The comment or reply itself. */
  target_sub_1_id: v.nullable(id),
  /** The parent comment, where it is a reply. */
  target_sub_2_id: v.nullable(id),
  /** The person whose follower the actor became. */
  to_user_id: v.nullable(id),
  /** The post was deleted, or this person may no longer see it. */
  post_deleted: v.boolean(),
})
export type NotificationEntity = v.InferOutput<typeof notificationEntity>

type Target = (it: NotificationEntity) => string

const withQuery = (path: string, query: Record<string, string | null>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const profile: Target = ({ idol_id }) => (idol_id === null ? LIST : `/profile/${idol_id}`)

const post: Target = (it) => {
  if (it.post_deleted) return profile(it)
  return it.target_id === null ? LIST : `/post/${it.target_id}`
}

/** The post at one of its comments: `uidc` the comment, `uidr` the reply below it. */
const comment: Target = (it) => {
  if (it.post_deleted || it.target_id === null) return post(it)
  const uidr = it.target_sub_2_id === null ? null : it.target_sub_1_id
  return withQuery(post(it), { uidc: it.target_sub_2_id ?? it.target_sub_1_id, uidr })
}

/** Where any other code leads. */
const LIST = '/notify'

/** A code without a target does not compile. */
const targets: { readonly [code in SettingCd]: Target } = {
  message: ({ idol_id }) => (idol_id === null ? LIST : `/chat-messages/${idol_id}`),
  like_post: post,
  like_comment: comment,
  comment,
  reply_comment: comment,
  // Not in the specification's list: the post or comment with the mention.
  mention: comment,
  post,
  buy_post: post,
  plan_post: post,
  follow: ({ to_user_id }) => withQuery('/profile/follow', { uid: to_user_id, list: 'followers' }),
  plan: () => '/plan',
}

/**
 * The page a notification leads to.
 * @returns a path from the origin's root, with its query
 */
export function targetOf(it: NotificationEntity): string {
  const code = v.safeParse(settingCd, it.setting_cd)
  return code.success ? targets[code.output](it) : LIST
}
