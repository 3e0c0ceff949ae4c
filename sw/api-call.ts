// One request of the worker to the server, with the device's session.
import { type ReceivedResponse, serverKindOf } from '#contract/response.ts'
import {
  type AnyInput,
  type ApiRequest,
  buildRequest,
  type CallInput,
  type Fetch,
  readReply,
  sendRequest,
} from '#contract/client.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'
import { waitBeforeRepeat } from '#contract/repeated-reads.ts'
import { delay } from '#device/delay.ts'

/** @returns the parsed reply; undefined when the server did not answer, or refused */
export type ApiCall = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  token: string,
) => Promise<ReplyOf<E> | undefined>

/**
 * A GET is sent once more where the page does so too, if its wait ends within the time limit.
 * @param origin base of a relative API address
 * @param timeoutMs time limit of one call, ms
 */
export function createApiCall(origin: string, timeoutMs: number, fetch: Fetch): ApiCall {
  const base = new URL(import.meta.env['VITE_API_BASE'] ?? API_BASE, origin).href
  const server = serverKindOf(import.meta.env['VITE_SERVER'])
  const send = async (request: ApiRequest): Promise<ReceivedResponse> => {
    const until = Date.now() + timeoutMs
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await sendRequest(fetch, request, { server, signal })
    const now = Date.now()
    const facts = { now, random: Math.random(), patience: until - now }
    const wait = request.method === 'GET' ? waitBeforeRepeat(response, facts) : undefined
    if (wait === undefined) return response
    await delay(wait, signal)
    return sendRequest(fetch, request, { server, signal })
  }
  return async (endpoint, input, token) => {
    try {
      const request = buildRequest(endpoint, input as AnyInput, { base, token })
      const response = await send(request)
      const parsed = readReply(endpoint, response, server)
      return parsed.is === 'reply' ? parsed.value : undefined
    } catch {
      return undefined
    }
  }
}
