// The text, lifetime, urgency and retries of a push.
import type { PushPayload } from '#contract/notifications/push-payload.ts'

/**
 * Longest text of one push, bytes: push services accept 4096 encrypted ones, and encryption adds 103 (RFC 8291).
 */
export const MAX_PUSH = 3993
/** Longest text for a push service that refused `MAX_PUSH` as too large. */
export const SHORT_PUSH = 1500

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** The payload as JSON of at most `limit` bytes: cuts the body between characters, then the title. */
export function pushText(payload: PushPayload, limit: number): string {
  const { title, body } = payload.notification
  const whole = JSON.stringify(payload)
  if (bytesOf(whole) <= limit) return whole
  const segments = (text: string) => [...new Intl.Segmenter('ja').segment(text)].map((it) => it.segment)
  const [titles, bodies] = [segments(title), segments(body)]
  const cut = (all: readonly string[], left: number) =>
    left >= all.length ? all.join('') : left === 0 ? '' : `${all.slice(0, left).join('')}…`
  /** The JSON with `left` characters of title and body together. */
  const withLeft = (left: number) =>
    JSON.stringify({
      ...payload,
      notification: {
        ...payload.notification,
        title: cut(titles, Math.min(left, titles.length)),
        body: cut(bodies, Math.max(0, left - titles.length)),
      },
    })
  // Binary search for the longest text that fits.
  let [fits, tooLong] = [0, titles.length + bodies.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (bytesOf(withLeft(middle)) <= limit) fits = middle
    else tooLong = middle
  }
  return withLeft(fits)
}

export interface Delivery {
  /** Seconds for which a push service stores it for an offline device. */
  readonly ttl: number
  /** `high` wakes a sleeping phone; `low` waits until it is charging or awake. */
  readonly urgency: 'low' | 'normal' | 'high'
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Lifetime and urgency of a push, by the kind of its notification. */
export function deliveryOf(settingCd: string): Delivery {
  switch (settingCd) {
    case 'message':
      return { ttl: 7 * DAY, urgency: 'high' }
    case 'comment':
    case 'reply_comment':
    case 'mention':
    case 'buy_post':
    case 'plan':
      return { ttl: 7 * DAY, urgency: 'normal' }
    case 'like_post':
    case 'like_comment':
    case 'follow':
      return { ttl: DAY, urgency: 'low' }
    default:
      return { ttl: 3 * DAY, urgency: 'normal' }
  }
}

/** Seconds until the next try: longer each time, and never less than the push service requested. */
export function nextTryIn(tries: number, requested: number | undefined): number {
  return Math.max(requested ?? 0, Math.min(30 * 4 ** tries, 6 * HOUR))
}

/** Tries of one push for one device, over more than a day. */
export const MAX_TRIES = 10
/** After this many refusals in a row, the subscription is removed. */
export const MAX_REFUSALS = 5
