// Variables of automatic help: limits of new accounts, equal texts, follows, and removed media.
import * as v from 'valibot'
import type { Limits } from '#server/http/limits.ts'

const number = (most: number) =>
  v.pipe(v.string(), v.digits(), v.transform(Number), v.safeInteger(), v.maxValue(most))

export const helpVariables = {
  NEW_ACCOUNT_HOURS: v.optional(number(8760), '168'),
  NEW_ACCOUNT_POSTS_PER_HOUR: v.optional(number(1_000_000), '10'),
  NEW_ACCOUNT_POSTS_PER_DAY: v.optional(number(1_000_000), '50'),
  NEW_ACCOUNT_COMMENTS_PER_HOUR: v.optional(number(1_000_000), '30'),
  NEW_ACCOUNT_COMMENTS_PER_DAY: v.optional(number(1_000_000), '100'),
  NEW_ACCOUNT_MESSAGES_PER_HOUR: v.optional(number(1_000_000), '60'),
  NEW_ACCOUNT_REQUESTS_PER_DAY: v.optional(number(1_000_000), '10'),
  NEW_ACCOUNT_FOLLOWS_PER_HOUR: v.optional(number(1_000_000), '60'),
  NEW_ACCOUNT_FOLLOWS_PER_DAY: v.optional(number(1_000_000), '200'),
  FOLLOWS_PER_HOUR: v.optional(number(1_000_000), '400'),
  EQUAL_COMMENTS_PER_DAY: v.optional(number(1_000_000), '10'),
  EQUAL_MESSAGES_PER_DAY: v.optional(number(1_000_000), '20'),
  LINKS_FROM_STRANGERS: v.optional(v.picklist(['0', '1']), '1'),
  REMOVED_MEDIA_BITS: v.optional(number(16), '6'),
}

const HOUR = 3600_000

type Name = keyof typeof helpVariables
const wanted = '0 以上の数字にしてください（0 は制限なし）'

/** Expected value of each variable, for the message about an invalid one. */
export const helpWanted: Record<Name, string> = {
  NEW_ACCOUNT_HOURS: '0〜8760 の数字（時間）にしてください（0 は制限なし）',
  NEW_ACCOUNT_POSTS_PER_HOUR: wanted,
  NEW_ACCOUNT_POSTS_PER_DAY: wanted,
  NEW_ACCOUNT_COMMENTS_PER_HOUR: wanted,
  NEW_ACCOUNT_COMMENTS_PER_DAY: wanted,
  NEW_ACCOUNT_MESSAGES_PER_HOUR: wanted,
  NEW_ACCOUNT_REQUESTS_PER_DAY: wanted,
  NEW_ACCOUNT_FOLLOWS_PER_HOUR: wanted,
  NEW_ACCOUNT_FOLLOWS_PER_DAY: wanted,
  FOLLOWS_PER_HOUR: wanted,
  EQUAL_COMMENTS_PER_DAY: wanted,
  EQUAL_MESSAGES_PER_DAY: wanted,
  LINKS_FROM_STRANGERS: '1 か 0 にしてください',
  REMOVED_MEDIA_BITS: '0〜16 の数字にしてください（0 は同じファイルだけ）',
}

/** Number of acts in an hour and in a day; 0 without a limit. */
export interface Paces {
  readonly hour: number
  readonly day: number
}

export interface HelpSettings {
  /** An account younger than this is new, ms; 0 when none is. */
  readonly newAccountMs: number
  readonly ofNew: {
    readonly posts: Paces
    readonly comments: Paces
    readonly follows: Paces
  }
  readonly follows: Paces
  /** People below whose posts one person may write an equal comment in a day; 0 without a limit. */
  readonly equalComments: number
  /** Whether comments with a link of a new account wait for a review by people who do not follow it. */
  readonly holdsLinks: boolean
  /** Different bits of two hashes of pictures that still count as alike. */
  readonly removedMediaBits: number
}

/** The limits of messages that these variables set; 0 is no limit. */
export function messageLimitsOf(env: HelpEnv): MessageLimits {
  const most = (count: number) => (count === 0 ? Number.MAX_SAFE_INTEGER : count)
  return {
    messagesOfNew: { max: most(env.NEW_ACCOUNT_MESSAGES_PER_HOUR), timeWindow: HOUR },
    messageRequestsOfNew: { max: most(env.NEW_ACCOUNT_REQUESTS_PER_DAY), timeWindow: 24 * HOUR },
    equalMessages: most(env.EQUAL_MESSAGES_PER_DAY),
  }
}

type MessageLimits = Pick<Limits, 'messagesOfNew' | 'messageRequestsOfNew' | 'equalMessages'>

type HelpEnv = { readonly [name in Name]: v.InferOutput<(typeof helpVariables)[name]> }

export const helpSettingsOf = (env: HelpEnv): HelpSettings => ({
  newAccountMs: env.NEW_ACCOUNT_HOURS * HOUR,
  ofNew: {
    posts: { hour: env.NEW_ACCOUNT_POSTS_PER_HOUR, day: env.NEW_ACCOUNT_POSTS_PER_DAY },
    comments: { hour: env.NEW_ACCOUNT_COMMENTS_PER_HOUR, day: env.NEW_ACCOUNT_COMMENTS_PER_DAY },
    follows: { hour: env.NEW_ACCOUNT_FOLLOWS_PER_HOUR, day: env.NEW_ACCOUNT_FOLLOWS_PER_DAY },
  },
  follows: { hour: env.FOLLOWS_PER_HOUR, day: 0 },
  equalComments: env.EQUAL_COMMENTS_PER_DAY,
  holdsLinks: env.LINKS_FROM_STRANGERS === '1',
  removedMediaBits: env.REMOVED_MEDIA_BITS,
})

const unlimited: Paces = { hour: 0, day: 0 }

/** Without limits, for tests and where `RATE_LIMITS` is off. Holds stay. */
export const withoutLimits = (it: HelpSettings): HelpSettings => ({
  ...it,
  ofNew: {
    posts: unlimited,
    comments: unlimited,
    follows: unlimited,
  },
  follows: unlimited,
  equalComments: 0,
})
