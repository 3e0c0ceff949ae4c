// A request as the queue sends it, and what the server of a story answers.
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
  /** A body that is no JSON of ours. */
  text?: string
  /** The connection breaks before the body is whole. */
  cut?: boolean
}

/** The other side of the network. */
export interface Backend {
  /**
   * Answers a request whole.
   * @param share how much of a PATCH body arrived, 0..1; the server keeps what it received
   */
  answer(request: Request, share: number): Reply | Promise<Reply>
  /** Deletes an upload without a post, as the server does after a week. */
  expire?(uploadId: string): void | Promise<void>
}

export function asRequest(url: string, init: RequestInit): Request {
  return {
    method: init.method ?? 'GET',
    path: new URL(url).pathname,
    headers: init.headers as Record<string, string>,
    body: init.body,
  }
}

/** The server's refusal. */
export const refusal = (status: number, code: ErrorCode, fields?: Record<string, string>): Reply => ({
  status,
  body: { error: { code, ...(fields ? { fields } : {}) } },
})
