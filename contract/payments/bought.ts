// What becomes of a bought post when it can no longer be offered.

const YEAR_MS = 365 * 24 * 3600_000

/** How long buyers read what they bought after the account of its creator was deleted, ms. */
export const KEPT_MS = YEAR_MS

/** How long before the removal of a post its purchases are refunded, ms. */
export const RETURNED_MS = YEAR_MS
