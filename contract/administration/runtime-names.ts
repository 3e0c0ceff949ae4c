// Names, bounds and defaults of the settings that change at runtime.

/** Whether new accounts are made: by everyone, by no one, or by people with an invitation. */
export const registrationModes = ['open', 'invite', 'closed'] as const
export type RegistrationMode = (typeof registrationModes)[number]

/** `registration`, the `bar` above pages, and the limits. Stored names: they never change. */
export const limitNames = [
  'upload_mib_member',
  'upload_mib_staff',
  'unfinished_uploads',
  'stored_gib',
  'posts_per_day',
  'comments_per_hour',
  'messages_per_hour',
  'follows_per_hour',
  'sign_ups_per_day',
] as const
export type LimitName = (typeof limitNames)[number]

export const settingNames = ['registration', 'bar', ...limitNames] as const
export type SettingName = (typeof settingNames)[number]

export interface Bounds {
  readonly least: number
  readonly most: number
  /** Where neither the operator nor the environment has chosen one. */
  readonly usual: number
}

/**
 * Whole numbers. Files in MiB by the sender's role, and all stored files of a person in GiB. Limits of a person's writing count new posts,
 * comments, messages and follows, `sign_ups_per_day` counts the new accounts of the whole service in the last 24 hours. None can be
 * raised above the limits of `server/http/limits.ts` and of the specification.
 */
export const limitBounds: Readonly<Record<LimitName, Bounds>> = {
  upload_mib_member: { least: 1, most: 1024, usual: 1024 },
  upload_mib_staff: { least: 1, most: 1024, usual: 1024 },
  unfinished_uploads: { least: 1, most: 1000, usual: 50 },
  stored_gib: { least: 1, most: 10_000, usual: 100 },
  posts_per_day: { least: 1, most: 5000, usual: 1000 },
  comments_per_hour: { least: 1, most: 1200, usual: 1200 },
  messages_per_hour: { least: 1, most: 7200, usual: 7200 },
  follows_per_hour: { least: 1, most: 1800, usual: 1800 },
  sign_ups_per_day: { least: 1, most: 1_000_000, usual: 100_000 },
}

/** Longest text of the bar, grapheme clusters. */
export const MAX_BAR = 200
/** Longest path that the bar links to. */
export const MAX_BAR_LINK = 300
