// Time limits of requests and replies, and of pauses within an upload.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, refuse } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the request uploads files: it may take any time as long as bytes arrive. */
    upload?: boolean
  }
}

/** All in ms. */
export interface TimeLimits {
  /** From the first byte of a request to the last byte of its headers; Node itself replies 408. */
  readonly headers: number
  /** From the headers to the last byte of the body. */
  readonly body: number
  /** From the headers to the first byte of the reply: longer than `body` and the longest delay of the throttle. */
  readonly answer: number
  /** Longest time in which an upload may bring no byte. */
  readonly uploadIdle: number
}

export const usualTimes: TimeLimits = { headers: 20_000, body: 30_000, answer: 60_000, uploadIdle: 60_000 }

/** Closes the connection of a late body; replies 408 first, unless a reply was sent already. */
function giveUp(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.complete) return
  if (reply.sent || reply.raw.headersSent) {
    raw.destroy()
    return
  }
  request.log.info({ code: 'request_timeout' }, 'refused')
  reply.header('connection', 'close')
  refuse(reply, new ApiError('request_timeout'))
}

function watchBody(request: FastifyRequest, reply: FastifyReply, limits: TimeLimits): NodeJS.Timeout {
  if (!request.routeOptions.config.upload) return setTimeout(() => giveUp(request, reply), limits.body)
  const { socket } = request.raw
  let before = socket.bytesRead
  return setInterval(() => {
    if (socket.bytesRead === before) giveUp(request, reply)
    before = socket.bytesRead
  }, limits.uploadIdle)
}

/** Call before any other hook, since their time counts too. */
export function limitTimes(app: FastifyInstance, limits: TimeLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const timer = watchBody(request, reply, limits).unref()
      const { raw } = request
      const { socket } = raw
      const end = () => {
        clearTimeout(timer)
        // A connection serves many requests.
        socket.off('close', end)
      }
      raw.once('close', end)
      socket.once('close', end)
    }
    if (!request.routeOptions.config.upload) {
      const timer = setTimeout(() => {
        if (reply.sent || reply.raw.headersSent) return
        request.log.warn({ code: 'unavailable', after: limits.answer }, 'the reply took too long')
        reply.header('connection', 'close')
        refuse(reply, new ApiError('unavailable'))
      }, limits.answer).unref()
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
