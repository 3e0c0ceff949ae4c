// Reads multipart bodies within limits: text fields to an object, file parts to the disk.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import {
  MAX_FIELD_BYTES,
  MAX_FIELDS_BYTES,
  MAX_IMAGES,
  MAX_INLINE_IMAGE,
  MAX_INLINE_PICTURE,
  MAX_TOTAL_BYTES,
} from '#contract/limits.ts'
import { ApiError } from './errors.ts'
import { storedName } from './file-name.ts'

export interface ReceivedFile {
  readonly field: string
  readonly filename: string
  readonly path: string
  readonly size: number
}

export interface MultipartBody {
  readonly fields: Record<string, string | string[]>
  readonly files: readonly ReceivedFile[]
}

export interface TemporaryFiles {
  /** Free disk space there. */
  readonly room: { mustHave(): Promise<void> }
  newPath(): string
  remove(file: string): Promise<void>
}

const limits = {
  fields: 200,
  fieldNameSize: 100,
  fieldSize: MAX_FIELD_BYTES,
  files: MAX_IMAGES + 3,
  fileSize: MAX_INLINE_PICTURE,
  parts: 223,
  headerPairs: 20,
}
/** Largest announced body, bytes: files, text fields and part headers. */
const MAX_BODY = MAX_TOTAL_BYTES + MAX_FIELDS_BYTES + 1024 * 1024

/** Bytes of one request's text fields and files so far. */
interface Received {
  fields: number
  files: number
}

/**
 * Reads the whole body. Files stay at `path` until the caller moves them or `dropFiles` removes them.
 * @param allowed names of file parts; any other is refused
 */
export async function readMultipart(
  request: FastifyRequest,
  allowed: readonly string[],
  temporary: TemporaryFiles,
): Promise<MultipartBody> {
  if (!request.isMultipart()) throw new ApiError('bad_request')
  const fields: Record<string, string | string[]> = Object.create(null)
  const files: ReceivedFile[] = []
  const received: Received = { fields: 0, files: 0 }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw new ApiError('too_large')
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        if (!allowed.includes(part.fieldname))
          throw new ApiError('invalid', { [part.fieldname]: 'unsupported' })
        await temporary.room.mustHave()
        const path = temporary.newPath()
        const filename = storedName(part.filename)
        files.push({ field: part.fieldname, filename, path, size: 0 })
        const size = await write(part.file, path, largest(part.fieldname), received)
        files.splice(-1, 1, { field: part.fieldname, filename, path, size })
      } else {
        const value = String(part.value)
        if (part.fieldnameTruncated) throw new ApiError('too_large')
        if (part.valueTruncated) throw new ApiError('invalid', { [part.fieldname]: 'too_long' })
        received.fields += Buffer.byteLength(part.fieldname) + Buffer.byteLength(value)
        if (received.fields > MAX_FIELDS_BYTES) throw new ApiError('too_large')
        addField(fields, part.fieldname, value)
      }
    }
    const empty = files.filter((file) => file.size === 0)
    await dropFiles(empty, temporary)
    return { fields: { ...fields }, files: files.filter((file) => file.size > 0) }
  } catch (error) {
    await dropFiles(files, temporary)
    throw ofParser(error) ?? error
  }
}

/**
 * The refusal for an error of the parser, which throws plain errors without a code. A body that was cut may be whole when it is sent
 * again; another malformed one is so each time.
 */
function ofParser(error: unknown): ApiError | undefined {
  if (!(error instanceof Error) || error.constructor !== Error || 'code' in error) return undefined
  const isCut = /unexpected end of multipart data/i.test(error.message)
  return new ApiError(isCut ? 'body_incomplete' : 'bad_request')
}

/** Largest file of a field, bytes: pictures of a post may be larger than other files. */
const largest = (field: string): number => (field === 'image_file[]' ? MAX_INLINE_PICTURE : MAX_INLINE_IMAGE)

/**
 * Writes a file part until it ends or is too large for its field or for the request.
 * @returns its bytes
 * @throws ApiError `too_large`
 */
async function write(part: Readable, path: string, maxBytes: number, received: Received): Promise<number> {
  let size = 0
  await pipeline(
    part,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length
        received.files += chunk.length
        if (size > maxBytes || received.files > MAX_TOTAL_BYTES) throw new ApiError('too_large')
        yield chunk
      }
    },
    createWriteStream(path),
  )
  return size
}

/** Adds a field; a repeated name becomes a list. */
function addField(fields: Record<string, string | string[]>, name: string, value: string): void {
  const before = fields[name]
  fields[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
}

export async function dropFiles(files: readonly ReceivedFile[], temporary: TemporaryFiles): Promise<void> {
  await Promise.all(files.map((file) => temporary.remove(file.path)))
}
