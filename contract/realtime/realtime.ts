// The live connection: its address, and who may join a channel (specification section 7).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'

/** The server is done with a connection whose session has ended: there is no use in coming back with it. */
export const NOT_WELCOME = 4009

export const socketId = v.pipe(v.string(), v.maxLength(40), v.regex(/^\d+\.\d+$/, 'malformed'))

export const getRealtime = endpoint({
  name: 'getRealtime',
  method: 'GET',
  path: '/realtime',
  audience: 'member',
  summary: 'リアルタイム接続の行き先',
  reply: v.object({
    key: v.pipe(v.string(), v.nonEmpty()),
    /** Null: where the page itself came from. */
    host: v.nullable(v.string()),
    /** Null: 80 plain, 443 secure; with no host, the page's own. */
    port: v.nullable(v.number()),
    /** Null: as the page itself. */
    scheme: v.nullable(v.picklist(['http', 'https'])),
    path: v.string(),
  }),
  errors: ['unauthenticated'],
})

export const authorizeChannel = endpoint({
  name: 'authorizeChannel',
  method: 'POST',
  path: '/broadcasting/auth',
  audience: 'member',
  summary: 'チャンネルに入る許可',
  encoding: 'form',
  body: v.object({
    socket_id: socketId,
    channel_name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(164)),
  }),
  reply: v.object({ auth: v.string(), channel_data: v.optional(v.string()) }),
  errors: ['unauthenticated', 'forbidden'],
})
