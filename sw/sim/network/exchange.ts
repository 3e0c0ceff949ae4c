// Requests of the queue and replies of the server, as stories transport them.
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
  /** A body that is not JSON of our server. */
  text?: string
  /** The connection breaks before the body is whole. */
  cut?: boolean
}

/** The server at the other end of the network. */
export interface Backend {
  /**
   * Returns the whole reply to a request.
   * @param share part of a PATCH body that arrived, 0..1; the server stores that part
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

/** A refusal of the server. */
export const refusal = (status: number, code: ErrorCode, fields?: Record<string, string>): Reply => ({
  status,
  body: { error: { code, ...(fields ? { fields } : {}) } },
})
