// States of notices of the operator, and the people they are for.

/**
 * `publishing`: its batches are running. `stopped`: no further person gets it until it is resumed. `published`: every person of
 * the audience got it. `withdrawn`: its readers do not see it any more. Stored names: they never change.
 */
export const noticeStates = ['draft', 'scheduled', 'publishing', 'stopped', 'published', 'withdrawn'] as const
export type NoticeState = (typeof noticeStates)[number]

/**
 * `all`: every member; the urgent bar also reaches visitors. `members`: of a plan, or of all plans of a creator. `build`: people
 * with a device on an old build of the app. Stored names: they never change.
 */
export const noticeAudiences = ['all', 'creators', 'members', 'staff', 'build'] as const
export type NoticeAudience = (typeof noticeAudiences)[number]

/** Lists of the page of notices; `all` has every state. */
export const noticeLists = ['all', ...noticeStates] as const
export type NoticeList = (typeof noticeLists)[number]
