// What a new account may pay within 24 hours.
import { NEW_ACCOUNT_DAYS } from '#contract/payments/allowance.ts'

const DAY = 24 * 3600_000

/** A payment that counts: paid, or open. */
export interface Spent {
  /** Whole yen. */
  readonly amount: number
  /** When it was begun, ms since 1970. */
  readonly at: number
  /** When the form of an open payment ends; null for a paid one, ms since 1970. */
  readonly openUntil: number | null
}

interface Account {
  /** ms since 1970. */
  readonly createdAt: number
  /** The most that a new account can pay within 24 hours, whole yen. */
  readonly limit: number
}

export interface NewAccount {
  readonly limit: number
  /** Whole yen. */
  readonly left: number
  /** What counts now, and until when; the first to end comes first. */
  readonly counted: readonly { readonly amount: number; readonly until: number }[]
  /** The first moment without the limit, ms since 1970. */
  readonly endsAt: number
}

/** When an account is no longer new, ms since 1970. */
export const newUntil = (createdAt: number): number => createdAt + NEW_ACCOUNT_DAYS * DAY

/** The start of the time in which payments count, ms since 1970: those that were begun after it do. */
export const countedAfter = (now: number): number => now - DAY

/** Until when a payment counts: for 24 hours, and an open one no longer than its form. */
const countsUntil = ({ at, openUntil }: Spent) => Math.min(at + DAY, openUntil ?? Number.POSITIVE_INFINITY)

/** @returns undefined for an account that is no longer new */
export function newAccountOf(
  { createdAt, limit }: Account,
  payments: readonly Spent[],
  now: number,
): NewAccount | undefined {
  const endsAt = newUntil(createdAt)
  if (now >= endsAt) return undefined
  const counted = payments
    .map((it) => ({ amount: it.amount, until: countsUntil(it) }))
    .filter((it) => it.until > now)
    .toSorted((a, b) => a.until - b.until)
  return { limit, left: Math.max(0, limit - sumOf(counted)), counted, endsAt }
}

/**
 * When a price can be paid, ms since 1970: now, once earlier payments no longer count, or by an account that is not new. It is later
 * when an open payment is paid meanwhile.
 */
export function fitsAt(price: number, { limit, counted, endsAt }: NewAccount, now: number): number {
  if (price > limit) return endsAt
  let sum = sumOf(counted)
  if (sum + price <= limit) return now
  for (const { amount, until } of counted) {
    sum -= amount
    if (sum + price <= limit) return Math.min(until, endsAt)
  }
  return endsAt
}

const sumOf = (payments: readonly { readonly amount: number }[]) =>
  payments.reduce((total, it) => total + it.amount, 0)
