// Identifiers: UUIDs. Those made on a device are UUIDv7, which sort by time.
import * as v from 'valibot'

/** A UUID in its lower-case text form. */
export const id = v.pipe(v.string(), v.toLowerCase(), v.uuid())

/** An instant as ISO 8601 text in UTC, milliseconds included. */
export const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * Makes a UUIDv7 (RFC 9562 section 5.7).
 * @param now milliseconds since 1970
 * @param random ten bytes of randomness
 */
export function uuidv7(now: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16)
  for (let i = 0, rest = now; i < 6; i++, rest = Math.floor(rest / 256)) bytes[5 - i] = rest % 256
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A new UUIDv7 from this runtime's clock and randomness. */
export function newId(): string {
  return uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
}
