// Multipart bodies: text fields as one object, file parts on the disk, within limits.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { MAX_IMAGES, MAX_INLINE_IMAGE, MAX_INLINE_PICTURE, MAX_TOTAL_BYTES, MiB } from '#contract/limits.ts'
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
  newTemporary(): string
  remove(file: string): Promise<void>
}

const limits = {
  fields: 200,
  fieldSize: MiB,
  files: MAX_IMAGES + 3,
  fileSize: MAX_INLINE_PICTURE,
  parts: 300,
}

/**
 * Reads the whole body. Files stay under `path` until the caller moves or `dropFiles` removes them.
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
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        if (!allowed.includes(part.fieldname))
          throw new ApiError('invalid', { [part.fieldname]: 'unsupported' })
        await temporary.room.mustHave()
        const path = temporary.newTemporary()
        const filename = storedName(part.filename)
        files.push({ field: part.fieldname, filename, path, size: 0 })
        await pipeline(part.file, createWriteStream(path))
        const size = part.file.bytesRead
        files.splice(-1, 1, { field: part.fieldname, filename, path, size })
        if (size > largest(part.fieldname) || totalOf(files) > MAX_TOTAL_BYTES)
          throw new ApiError('too_large')
      } else {
        if (part.valueTruncated) throw new ApiError('invalid', { [part.fieldname]: 'too_long' })
        addField(fields, part.fieldname, String(part.value))
      }
    }
    const empty = files.filter((file) => file.size === 0)
    await dropFiles(empty, temporary)
    return { fields: { ...fields }, files: files.filter((file) => file.size > 0) }
  } catch (error) {
    await dropFiles(files, temporary)
    throw error
  }
}

/** The pictures of a post may be large; what stands beside them may not. */
const largest = (field: string): number => (field === 'image_file[]' ? MAX_INLINE_PICTURE : MAX_INLINE_IMAGE)

const totalOf = (files: readonly ReceivedFile[]): number => files.reduce((sum, file) => sum + file.size, 0)

/** A name that comes twice is a list. */
function addField(fields: Record<string, string | string[]>, name: string, value: string): void {
  const before = fields[name]
  fields[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
}

export async function dropFiles(files: readonly ReceivedFile[], temporary: TemporaryFiles): Promise<void> {
  await Promise.all(files.map((file) => temporary.remove(file.path)))
}
