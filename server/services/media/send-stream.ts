// Sends an object of a store without files, with ranges and conditional requests.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ObjectFacts, ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'
import { ApiError } from '#server/http/errors.ts'

/** Replies 200, 206, 304, 412 or 416 as RFC 9110 sections 13 and 14 say. @throws ApiError `not_found` without an object */
export async function sendStream(
  reply: FastifyReply,
  objects: Pick<ObjectStore, 'factsOf' | 'read'>,
  key: ObjectKey,
): Promise<FastifyReply> {
  const facts = await objects.factsOf(key)
  if (!facts) throw new ApiError('not_found')
  const { headers, method } = reply.request
  reply.header('etag', facts.etag)
  reply.header('last-modified', new Date(facts.modifiedAt).toUTCString())
  reply.header('accept-ranges', 'bytes')
  if (fails(headers, facts)) throw new ApiError('bad_request', undefined, 412)
  if (isKnown(headers, facts)) return reply.code(304).send()
  const range = headers['if-range'] && !isSame(headers['if-range'], facts) ? undefined : headers.range
  const part = partOf(range, facts.size)
  if (part === 'beyond') {
    reply.header('content-range', `bytes */${facts.size}`)
    throw new ApiError('bad_request', undefined, 416)
  }
  const { start, end } = part ?? { start: 0, end: facts.size }
  if (part) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${facts.size}`)
  reply.header('content-length', end - start)
  return reply.send(method === 'HEAD' ? Readable.from([]) : Readable.from(objects.read(key, { start, end })))
}

type Headers = FastifyReply['request']['headers']

/** Whether a header has the tag of the object, or `*`. */
const names = (header: string, { etag }: ObjectFacts): boolean =>
  header.trim() === '*' || header.split(',').some((it) => it.trim().replace(/^W\//, '') === etag)

const secondsOf = (time: number) => Math.floor(time / 1000)

/** Whether the object was changed after the date of a header; false for text that is no date. */
const isNewer = (date: string, { modifiedAt }: ObjectFacts): boolean =>
  secondsOf(modifiedAt) > secondsOf(Date.parse(date))

function fails(headers: Headers, facts: ObjectFacts): boolean {
  if (headers['if-match'] !== undefined) return !names(headers['if-match'], facts)
  return headers['if-unmodified-since'] !== undefined && isNewer(headers['if-unmodified-since'], facts)
}

function isKnown(headers: Headers, facts: ObjectFacts): boolean {
  if (headers['if-none-match'] !== undefined) return names(headers['if-none-match'], facts)
  const since = headers['if-modified-since']
  return since !== undefined && !Number.isNaN(Date.parse(since)) && !isNewer(since, facts)
}

/** Whether `If-Range` names the object as it is. */
const isSame = (header: string | string[], facts: ObjectFacts): boolean =>
  String(header) === facts.etag || secondsOf(Date.parse(String(header))) === secondsOf(facts.modifiedAt)

/** The bytes of a header `Range`. @returns undefined for all, also for a header that is not understood */
function partOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start < end ? { start, end } : 'beyond'
}
