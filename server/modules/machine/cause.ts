// Why something failed: a name for the page, and the error's text without secrets.
import type { CheckReason } from '#contract/administration/machine.ts'
import { mask } from '#server/http/mask.ts'
import { Late } from '#server/services/runtime/time-limit.ts'

/** Longest text of an error on the page, UTF-16 units. */
const MAX_DETAIL = 300

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNECTION',
  'EDNS',
  'ESOCKET',
])
const refused = new Set(['EAUTH', 'EACCES', 'EPERM', 'EROFS', '28P01', '28000'])

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

export function causeOf(error: unknown): CheckReason {
  if (error instanceof Late) return 'late'
  const code = codeOf(error)
  if (code === 'ENOSPC') return 'low_room'
  if (refused.has(code)) return 'refused'
  return unreachable.has(code) ? 'unreachable' : 'other'
}

/** The text without credentials in addresses, tokens, values of queries and addresses of people, on one line. */
export function cleanText(text: string): string {
  // One line of JSON is what `mask` reads.
  const line = JSON.stringify(text.slice(0, 4000).replaceAll(/:\/\/[^\s/@]*@/g, '://***@'))
  return (JSON.parse(mask(line)) as string).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DETAIL)
}

/** Code and message of an error, without secrets. */
export function detailOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  return cleanText(code === '' || message.includes(code) ? message : `${code} ${message}`)
}
