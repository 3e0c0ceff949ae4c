// One request of the worker to the server, with the device's session.
import { readAnswer, type ServerKind, serverKindOf } from '#contract/answer.ts'
import { pathOf, type BodyOf, type Endpoint, type ParamsOf, type ReplyOf } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'

export interface Asking {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  readonly body?: unknown
}

/** @returns the parsed reply; undefined when nobody answered, it was refused, or is not what was agreed */
export type Ask = <E extends Endpoint>(
  endpoint: E,
  args: Asking & { readonly params?: ParamsOf<E>; readonly body?: BodyOf<E> },
  token: string,
) => Promise<ReplyOf<E> | undefined>

/**
 * @param origin where relative base addresses count from
 * @param patience the longest a question takes, ms
 */
export function askFrom(
  origin: string,
  patience: number,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Ask {
  const base = new URL(import.meta.env['VITE_API_BASE'] ?? API_BASE, origin).href
  const server: ServerKind = serverKindOf(import.meta.env['VITE_SERVER'])
  return async (endpoint, { params = {}, query, body }, token) => {
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const search = query ? `?${new URLSearchParams(query)}` : ''
    try {
      const response = await fetch(base + pathOf(endpoint.path, params) + search, {
        method: endpoint.method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(patience),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { status } = response
      const header = (name: string) => response.headers.get(name)
      const answer = readAnswer(endpoint.reply, { status, header, body: await response.text() }, server)
      return answer.is === 'reply' ? (answer.value as ReplyOf<typeof endpoint>) : undefined
    } catch {
      return undefined
    }
  }
}
