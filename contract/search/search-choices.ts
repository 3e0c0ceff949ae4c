// The filters of search results.

/** `1` everyone, `2` plan members, `3` one-time purchase. */
export const searchTypes = ['1', '2', '3'] as const
export type SearchType = (typeof searchTypes)[number]

export const searchMedia = ['image', 'video', 'text'] as const
export type SearchMedia = (typeof searchMedia)[number]

/** How long ago a post was released at most: a day, a week, thirty days. */
export const searchPeriods = ['day', 'week', 'month'] as const
export type SearchPeriod = (typeof searchPeriods)[number]
