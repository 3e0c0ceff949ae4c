// Optional restrictions of picked files, set by the build (specification section 5).
import * as v from 'valibot'
import { extensionOf } from '#contract/posts/media.ts'
import { sizeLimit } from '#src/lib/format.ts'

const bytes = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))
const count = bytes

const restrictions = v.strictObject({
  /** Bytes. */
  maxFileSize: bytes,
  minFileSize: bytes,
  maxTotalFileSize: bytes,
  maxNumberOfFiles: count,
  minNumberOfFiles: count,
  /** Values of an `accept` attribute: `.jpg`, `image/*`, `video/mp4`. */
  allowedFileTypes: v.optional(v.pipe(v.array(v.string()), v.minLength(1))),
  /** Names of the meta fields for which every file needs a value. */
  requiredMetaFields: v.optional(v.array(v.string())),
  /** Refuses a second file of the same name and size. */
  noDuplicates: v.optional(v.boolean()),
})
export type Restrictions = v.InferOutput<typeof restrictions>

/** The checked properties of a file. */
export interface RestrictedFile {
  name: string
  /** Media type; '' when the device reports none. */
  type: string
  /** Bytes. */
  size: number
}

/**
 * Reads the configuration.
 * @param json of the build; undefined or '' sets no restriction
 * @throws when it does not match the schema, since a restriction must not be ignored silently
 */
export function parseRestrictions(json: string | undefined): Restrictions {
  if (json === undefined || json.trim() === '') return {}
  return v.parse(restrictions, JSON.parse(json))
}

/** The restrictions of this build. */
export const ownRestrictions = parseRestrictions(import.meta.env.VITE_UPLOAD_RESTRICTIONS)

/**
 * Why a file may not be added, in the specification's words; undefined when it may.
 * @param existing the files picked before
 */
export function restrictionProblem(
  it: Restrictions,
  existing: readonly RestrictedFile[],
  file: RestrictedFile,
): string | undefined {
  if (it.maxNumberOfFiles !== undefined && existing.length >= it.maxNumberOfFiles) {
    return `You can only upload ${it.maxNumberOfFiles} file(s)`
  }
  if (it.allowedFileTypes && !it.allowedFileTypes.some((type) => matchesType(type, file))) {
    return `You can only upload: ${it.allowedFileTypes.join(', ')}`
  }
  if (it.noDuplicates && existing.some((other) => isSame(other, file))) return 'Cannot add the duplicate file'
  if (it.maxFileSize !== undefined && file.size > it.maxFileSize) return exceeds(file.name, it.maxFileSize)
  if (it.maxTotalFileSize !== undefined) {
    const total = existing.reduce((sum, other) => sum + other.size, file.size)
    if (total > it.maxTotalFileSize) return exceeds(file.name, it.maxTotalFileSize)
  }
  if (it.minFileSize !== undefined && file.size < it.minFileSize) {
    return `This file is smaller than the allowed size of ${sizeLimit(it.minFileSize)}`
  }
  return undefined
}

/** The restrictions without sizes, for a photo that is not converted yet. */
export function withoutSizes(it: Restrictions): Restrictions {
  const { maxFileSize: _most, minFileSize: _least, maxTotalFileSize: _total, ...others } = it
  return others
}

/** Why the files' sizes prevent posting, in the specification's words; undefined when they do not. */
export function sizeProblem(it: Restrictions, files: readonly RestrictedFile[]): string | undefined {
  const { maxFileSize, minFileSize, maxTotalFileSize } = it
  const sizes = { maxFileSize, minFileSize, maxTotalFileSize }
  for (const [at, file] of files.entries()) {
    const problem = restrictionProblem(sizes, files.slice(0, at), file)
    if (problem) return problem
  }
  return undefined
}

/**
 * Why these files prevent posting, in the specification's words; undefined when they do not.
 * @param files with their meta fields
 */
export function postingProblem(
  it: Restrictions,
  files: readonly { meta: Readonly<Record<string, string | number | null>> }[],
): string | undefined {
  if (it.minNumberOfFiles !== undefined && files.length < it.minNumberOfFiles) {
    return `You have to select at least ${it.minNumberOfFiles} file(s)`
  }
  const missing = it.requiredMetaFields?.some((field) => files.some(({ meta }) => (meta[field] ?? '') === ''))
  return missing ? 'Missing required meta fields' : undefined
}

const exceeds = (name: string, size: number) => `${name} exceeds maximum allowed size of ${sizeLimit(size)}`

const isSame = (a: RestrictedFile, b: RestrictedFile) => a.name === b.name && a.size === b.size

function matchesType(type: string, file: RestrictedFile): boolean {
  const allowed = type.trim().toLowerCase()
  if (allowed.startsWith('.')) return extensionOf(file.name) === allowed.slice(1)
  const mime = file.type.toLowerCase().split(';')[0] ?? ''
  return allowed.endsWith('/*') ? mime.startsWith(allowed.slice(0, -1)) : mime === allowed
}
