// Reads the header with which a server says when to try again.
import type { HeaderOf } from './response.ts'

/**
 * `Retry-After` in ms (RFC 9110 section 10.2.3); undefined when it is absent or senseless. A date counts from the response's own
 * `Date`, since the clock of the device may be wrong.
 * @param now milliseconds since 1970 by this device's clock
 */
export function retryAfterOf(header: HeaderOf, now: number): number | undefined {
  const retryAfter = header('Retry-After')?.trim()
  if (!retryAfter) return undefined
  const sentAt = Date.parse(header('Date') ?? '')
  const ms = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - (Number.isNaN(sentAt) ? now : sentAt)
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined
}
