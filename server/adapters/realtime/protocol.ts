// The Pusher protocol (version 7) as text: parses incoming messages, writes outgoing ones.
import * as v from 'valibot'

/** Codes of errors and closings. 40xx: do not come back · 41xx: later · 42xx: at once · 43xx: only this was refused. */
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

/** Seconds of silence after which either side asks whether the other is there. */
export const ACTIVITY_S = 120

const channel = v.pipe(v.string(), v.maxLength(164), v.regex(/^[\w\-=@,.;]+$/))

/** Pusher's own events carry an object, or the same as text. */
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

const fromClient = v.object({
  event: v.pipe(v.string(), v.maxLength(100), v.regex(/^client-[\w.:-]+$/)),
  channel,
  data: v.unknown(),
})

export type Incoming =
  | v.InferOutput<typeof incoming>
  | { readonly event: 'client'; readonly name: string; readonly channel: string; readonly data: unknown }

/** Reads a frame; undefined for what is not of the protocol. */
export function readFrame(text: string): Incoming | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const own = v.safeParse(incoming, given)
  if (own.success) return own.output
  const theirs = v.safeParse(fromClient, given)
  if (!theirs.success) return undefined
  const { event: name, channel: on, data: said } = theirs.output
  return { event: 'client', name, channel: on, data: said }
}

/** A frame as bytes: made once, sent to each. `data` travels as text within the text. */
export function frame(event: string, said: unknown, on?: string, more: object = {}): Buffer {
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  return Buffer.from(JSON.stringify({ event, ...(on !== undefined && { channel: on }), data: text, ...more }))
}

/** Errors alone carry their data as an object. */
export const errorFrame = (number: number, message: string): Buffer =>
  Buffer.from(JSON.stringify({ event: 'pusher:error', data: { code: number, message } }))
