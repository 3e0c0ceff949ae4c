// Whether a card can still be charged, and whether it expires soon.
import { monthOf, monthRange } from './periods.ts'

/**
 * Whether a month or less is left of a card: its last month has begun, or is over.
 * @param month `YYYY-MM`, at whose end the card expires
 * @param now ms since 1970
 */
export const cardIsExpiring = (month: string, now: number): boolean => monthOf(now) >= month

/** Whether a card can be charged at a moment, ms since 1970. */
export const cardIsValid = (month: string, at: number): boolean => at < monthRange(month).to
