// A request as the queue sends it, and what the server of a story says to it.
import type { ErrorCode } from '#contract/errors.ts'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** The server's no. */
export const refusal = (status: number, code: ErrorCode, fields?: Record<string, string>): Reply => ({
  status,
  body: { error: { code, ...(fields ? { fields } : {}) } },
})
