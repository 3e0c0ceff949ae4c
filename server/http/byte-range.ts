// Parses a Range header (RFC 9110, section 14) into one range of bytes.

export type RequestedRange =
  | { readonly is: 'whole' }
  /** From `start` to before `end`. */
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  /** The range is outside the file. */
  | { readonly is: 'nothing' }

const whole: RequestedRange = { is: 'whole' }

/**
 * The range that a Range header requests of `length` bytes. An invalid header and several ranges request the whole.
 * @param condition the If-Range header: without it, and with this file's tag, the range is valid
 */
export function requestedRange(
  header: string | undefined,
  length: number,
  tag: string,
  condition: string | undefined,
): RequestedRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return whole
  if (condition !== undefined && condition !== tag) return whole
  if (first === '') {
    const start = Math.max(0, length - Number(last))
    return start === length ? { is: 'nothing' } : { is: 'part', start, end: length }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return whole
  if (start >= length) return { is: 'nothing' }
  return { is: 'part', start, end: last === '' ? length : Math.min(length, Number(last) + 1) }
}
