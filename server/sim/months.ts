// Charge days of memberships in Asia/Tokyo, computed independently of the product.

export const HOUR = 3600_000
export const DAY = 24 * HOUR
/** Asia/Tokyo is ahead of UTC by so much. */
const TOKYO = 9 * HOUR

/** The first start of this day of a month after a moment, ms since 1970. */
export function dayAfter(moment: number, day: number): number {
  let start = Math.floor((moment + TOKYO) / DAY) * DAY
  do start += DAY
  while (new Date(start).getUTCDate() !== day)
  return start - TOKYO
}

/** The end of the period that a renewal pays; it may be charged a day early. */
export const renewedUntil = (chargedAt: number, day: number): number => dayAfter(chargedAt + DAY, day)
