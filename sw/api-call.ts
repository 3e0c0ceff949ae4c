// One request of the worker to the server, with the device's session.
import { serverKindOf } from '#contract/response.ts'
import {
  type AnyInput,
  buildRequest,
  type CallInput,
  type Fetch,
  readReply,
  sendRequest,
} from '#contract/client.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'

/** @returns the parsed reply; undefined when the server did not answer, or refused */
export type ApiCall = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  token: string,
) => Promise<ReplyOf<E> | undefined>

/**
 * @param origin base of a relative API address
 * @param timeoutMs time limit of one request, ms
 */
export function createApiCall(origin: string, timeoutMs: number, fetch: Fetch): ApiCall {
  const base = new URL(import.meta.env['VITE_API_BASE'] ?? API_BASE, origin).href
  const server = serverKindOf(import.meta.env['VITE_SERVER'])
  return async (endpoint, input, token) => {
    try {
      const request = buildRequest(endpoint, input as AnyInput, { base, token })
      const response = await sendRequest(fetch, request, { server, signal: AbortSignal.timeout(timeoutMs) })
      const parsed = readReply(endpoint, response, server)
      return parsed.is === 'reply' ? parsed.value : undefined
    } catch {
      return undefined
    }
  }
}
