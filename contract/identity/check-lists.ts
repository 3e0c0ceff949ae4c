// Names of the lists of identity checks, without imports, for the first download.

export const checkLists = ['waiting', 'mine', 'others', 'decided'] as const
/** Waiting for an admin, taken by this admin, taken by another admin, decided. */
export type CheckList = (typeof checkLists)[number]
