// The text of a push: short enough for every push service, and how long and how urgently it is worth delivering.
import type { PushPayload } from '#contract/notifications/push-payload.ts'

/**
 * Longest text of one push, bytes: push services take 4096 encrypted ones, of which the encryption takes 103 (RFC 8291).
 */
export const MAX_PUSH = 3993
/** What is sent where even that was too much. */
export const SHORT_PUSH = 1500

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** As JSON of at most so many bytes: the body is cut at a character's end, then the title. */
export function pushText(payload: PushPayload, limit: number): string {
  const { title, body } = payload.notification
  const whole = JSON.stringify(payload)
  if (bytesOf(whole) <= limit) return whole
  const segments = (text: string) => [...new Intl.Segmenter('ja').segment(text)].map((it) => it.segment)
  const [titles, bodies] = [segments(title), segments(body)]
  const cut = (all: readonly string[], left: number) =>
    left >= all.length ? all.join('') : left === 0 ? '' : `${all.slice(0, left).join('')}…`
  /** With so many characters left of both together, the title's first. */
  const withLeft = (left: number) =>
    JSON.stringify({
      ...payload,
      notification: {
        ...payload.notification,
        title: cut(titles, Math.min(left, titles.length)),
        body: cut(bodies, Math.max(0, left - titles.length)),
      },
    })
  // The longest that fits, by halving.
  let [fits, tooLong] = [0, titles.length + bodies.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (bytesOf(withLeft(middle)) <= limit) fits = middle
    else tooLong = middle
  }
  return withLeft(fits)
}

export interface Delivery {
  /** Seconds a push service keeps it for a device that is away. */
  readonly ttl: number
  /** `high` wakes a phone that sleeps; `low` waits until it is charging or awake. */
  readonly urgency: 'low' | 'normal' | 'high'
}

const HOUR = 3600
const DAY = 24 * HOUR

/** By setting_cd: what people wait for an answer to, what can wait, and the rest. */
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

/** A device that was away is tried again after so many seconds: longer each time, and never before the push service said. */
export function nextTryIn(tries: number, said: number | undefined): number {
  return Math.max(said ?? 0, Math.min(30 * 4 ** tries, 6 * HOUR))
}

/** Tries of one push for one device; after the last it is given up, a good day later. */
export const MAX_TRIES = 10
/** Refusals in a row that are no word about the device; after the last it is taken for gone. */
export const MAX_REFUSALS = 5
