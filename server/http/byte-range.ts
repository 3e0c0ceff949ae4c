// Parses a Range header (RFC 9110, section 14): one range of bytes, or the whole file.

export type Asked =
  | { readonly is: 'whole' }
  /** From `start` up to `end`, which is not in it. */
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  /** None of it is there. */
  | { readonly is: 'nothing' }

const whole: Asked = { is: 'whole' }

/**
 * What a Range header asks of so many bytes. One that is not understood, and several ranges at once, ask for the whole.
 * @param condition the If-Range header: without it, and with our own tag, the range counts
 */
export function askedRange(
  header: string | undefined,
  length: number,
  tag: string,
  condition: string | undefined,
): Asked {
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
