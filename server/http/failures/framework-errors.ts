// Replies to requests that the framework or Node refuses before any hook runs.
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'
import { PAGE_NOT_FOUND } from '#contract/pages.ts'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { ApiError, refuse } from '#server/http/errors.ts'
import { isServerPath } from '#server/http/unknown-paths.ts'
import { notFoundPage, wantsPage } from './error-page.ts'

/** Answers an address that cannot be decoded (`/api/%zz`): as the API, or as an unknown page to a person. */
export function refuseAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ code: 'bad_request', why: error.code }, 'refused')
  reply.header('x-request-id', request.id)
  if (isServerPath(request.url) || !wantsPage(request.headers.accept)) {
    refuse(reply.header(RESPONSE_HEADER, '1'), new ApiError('bad_request'))
    return
  }
  reply.raw.statusMessage = PAGE_NOT_FOUND
  void reply.code(404).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(notFoundPage)
}

const byNodeCode: Readonly<Record<string, readonly [number, string, ErrorCode]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [errorStatus.request_timeout, 'Request Timeout', 'request_timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'too_large'],
}

/** Answers what is no HTTP request, or one whose headers are too large or too late, and closes the connection. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, reason, code] = byNodeCode[error.code ?? ''] ?? [400, 'Bad Request', 'bad_request' as const]
  const body = JSON.stringify({ error: { code } } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `${RESPONSE_HEADER}: 1`,
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
