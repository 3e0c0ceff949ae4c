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
   * @param share part of a body of an upload that arrived, 0..1; the server stores that part
   */
  answer(request: Request, share: number): Reply | Promise<Reply>
  /** Deletes an upload without a post, as the server does after a week. */
  expire?(uploadId: string): void | Promise<void>
}

/** Whether a request adds bytes to an upload: those that arrive before a cut are stored. */
export const addsBytes = ({ method, path }: Pick<Request, 'method' | 'path'>): boolean =>
  method === 'PATCH' || /\/parts\/\d+$/.test(path)

/** The upload that a path below that of all uploads names. */
export const uploadIdIn = (path: string): string | undefined =>
  /^\/upload-chunking-2\/([^/]+)/.exec(path)?.[1]

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
