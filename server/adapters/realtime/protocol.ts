// The Pusher protocol (version 7) as text: parses incoming messages, writes outgoing ones.
import * as v from 'valibot'
import { TYPING } from '#contract/realtime/channels.ts'

/** Error and close codes. 40xx: do not reconnect · 41xx: reconnect later · 42xx: at once · 43xx: one message refused. */
export const code = {
  unknownApp: 4001,
  overQuota: 4004,
  wrongVersion: 4007,
  unauthorized: 4009,
  full: 4100,
  tooFast: 4101,
  comeBack: 4200,
  noPong: 4201,
  refused: 4301,
} as const

/** Seconds of silence after which either side sends a ping. */
export const ACTIVITY_S = 120

const channel = v.pipe(v.string(), v.maxLength(164), v.regex(/^[\w\-=@,.;]+$/))

/** Data of Pusher's own events: an object, or the same as JSON text. */
const data = <S extends v.GenericSchema>(schema: S) =>
  v.union([schema, v.pipe(v.string(), v.parseJson(), schema)])

const incoming = v.variant('event', [
  v.object({ event: v.literal('pusher:ping') }),
  v.object({ event: v.literal('pusher:pong') }),
  v.object({
    event: v.literal('pusher:subscribe'),
    data: data(
      v.object({
        channel,
        auth: v.optional(v.pipe(v.string(), v.maxLength(300)), ''),
        channel_data: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
      }),
    ),
  }),
  v.object({ event: v.literal('pusher:unsubscribe'), data: data(v.object({ channel })) }),
])

/** The only event of clients. Every other name and all data are refused, so that no text passes by this way. */
const typing = v.strictObject({
  event: v.literal(TYPING),
  channel,
  data: v.optional(data(v.strictObject({}))),
})

export type Incoming =
  | v.InferOutput<typeof incoming>
  | { readonly event: typeof TYPING; readonly channel: string }

/** Parses a frame; undefined for a frame that is not of the protocol. */
export function readFrame(text: string): Incoming | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const own = v.safeParse(incoming, given)
  if (own.success) return own.output
  const read = v.safeParse(typing, given)
  return read.success ? { event: TYPING, channel: read.output.channel } : undefined
}

/** A frame as bytes, made once for all subscribers. `data` is JSON text inside the JSON. */
export function frame(event: string, payload: unknown, on?: string, more: object = {}): Buffer {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return Buffer.from(JSON.stringify({ event, ...(on !== undefined && { channel: on }), data: text, ...more }))
}

/** An error frame; only errors have their data as an object. */
export const errorFrame = (number: number, message: string): Buffer =>
  Buffer.from(JSON.stringify({ event: 'pusher:error', data: { code: number, message } }))
