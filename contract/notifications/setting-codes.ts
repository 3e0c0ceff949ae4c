// The kinds of notifications, by the code each carries: the closed list (specification section 2).
import * as v from 'valibot'

export const settingCodes = [
  'message',
  'follow',
  'like_post',
  'like_comment',
  'comment',
  'reply_comment',
  'mention',
  'post',
  'plan_post',
  'buy_post',
  'plan',
] as const

export const settingCd = v.picklist(settingCodes)
export type SettingCd = v.InferOutput<typeof settingCd>
