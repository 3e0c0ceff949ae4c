// The HTTP API of the Pusher protocol: other processes publish by signed requests.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { channelOf } from '#contract/realtime/channels.ts'
import { REALTIME_API_PATH } from '#contract/paths.ts'
import { socketId } from '#contract/realtime/realtime.ts'
import type { Deps, SocketServer } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'

const MAX_BYTES = 256 * 1024
const name = v.pipe(v.string(), v.maxLength(200), v.regex(/^(?!pusher)[\w.:-]+$/))
const data = v.pipe(v.string(), v.maxLength(10_240))
const channel = v.pipe(
  v.string(),
  v.check((it) => channelOf(it) !== undefined),
)
const singleEvent = v.object({
  name,
  data,
  channels: v.optional(v.pipe(v.array(channel), v.maxLength(100))),
  channel: v.optional(channel),
  socket_id: v.optional(socketId),
})
const batchOfEvents = v.object({
  batch: v.pipe(v.array(v.object({ name, data, channel, socket_id: v.optional(socketId) })), v.maxLength(10)),
})

function read<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body)
  if (!parsed.success) throw new ApiError('invalid')
  return parsed.output
}

export function serveEventsApi(app: FastifyInstance, deps: Deps, sockets: SocketServer): void {
  const rateLimit = deps.settings.limits.published
  const check = (request: FastifyRequest) => {
    const { app_id: appId } = request.params as { app_id: string }
    const [path = ''] = request.url.split('?')
    const query = request.query as Record<string, string>
    const call = {
      method: request.method,
      path,
      query,
      body: typeof request.body === 'string' ? request.body : '',
    }
    if (!sockets.isSigned(appId, call)) throw new ApiError('unauthenticated')
  }
  void app.register(async (scope) => {
    // The signature covers the bytes of the body, so it is not parsed here.
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BYTES },
      (_, text, done) => done(null, text),
    )
    const base = `${REALTIME_API_PATH}/:app_id`
    const config = { rateLimit }
    scope.post(`${base}/events`, { config }, async (request) => {
      check(request)
      sockets.publishRaw([messageOf(read(singleEvent, request.body))])
      return {}
    })
    scope.post(`${base}/batch_events`, { config }, async (request) => {
      check(request)
      sockets.publishRaw(read(batchOfEvents, request.body).batch.map(messageOf))
      return {}
    })
    scope.post(`${base}/users/:user_id/terminate_connections`, { config }, async (request) => {
      check(request)
      const { user_id: userId } = request.params as { user_id: string }
      deps.realtime.end([{ is: 'person', userId }])
      return {}
    })
  })
}

function messageOf(it: v.InferOutput<typeof singleEvent>): Parameters<SocketServer['publishRaw']>[0][number] {
  const channels = it.channels ?? (it.channel === undefined ? [] : [it.channel])
  return { channels, event: it.name, data: it.data, except: it.socket_id }
}
