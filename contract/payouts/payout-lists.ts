// The operator's lists of payouts, for addresses of the page.

/**
 * `open`: requested and held. `approved`: for the next file. `exported`: the bank's result is awaited. `done`: all others.
 */
export const payoutLists = ['open', 'approved', 'exported', 'done'] as const
export type PayoutList = (typeof payoutLists)[number]
