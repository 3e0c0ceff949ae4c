// The files of a backup that say what is in it.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { type ObjectKey, prefixes } from '#server/adapters/files/object-store.ts'

export const MANIFEST = 'backup.json'
export const OBJECTS = 'objects.jsonl'
export const DUMP = 'database.dump'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const sha256 = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/))
const file = v.strictObject({ size: count, sha256 })

const manifest = v.strictObject({
  /** Another number is another form of backup. */
  format: v.literal(1),
  /** When the snapshot was taken, ISO 8601. */
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  database: v.picklist(['postgres', 'pglite']),
  /** Major version of PostgreSQL. */
  postgres: count,
  migrations: v.pipe(v.array(count), v.minLength(1)),
  /** Fingerprints of keys; the keys are in no backup. */
  keys: v.record(v.string(), v.string()),
  rows: v.strictObject({
    people: count,
    posts: count,
    messages: count,
    paid_payments: count,
    ledger_entries: count,
  }),
  /** `missing`: rows whose objects were not there. */
  objects: v.strictObject({ listed: count, copied: count, bytes: count, missing: count }),
  files: v.strictObject({ [DUMP]: file, [OBJECTS]: file }),
})
export type Manifest = v.InferOutput<typeof manifest>

/** @returns undefined for another form */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const parsed = v.safeParse(manifest, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

const key = v.pipe(
  v.string(),
  v.check((it) => prefixes.some((prefix) => it.startsWith(`${prefix}/`))),
  v.check((it) => !it.split('/').some((part) => part === '' || part === '.' || part === '..')),
  v.transform((it) => it as ObjectKey),
)

const listed = v.strictObject({
  key,
  /** Where it was: in the data folder, the bucket, or the bucket of identity documents. */
  store: v.picklist(['folder', 'bucket', 'identity_bucket']),
  /** Id of the person whose it is: an erased account has no objects. */
  owner: id,
  size: count,
  /** Of a copied object. */
  sha256: v.optional(sha256),
  /** Of an object that only its store has. */
  etag: v.optional(v.string()),
})
export type ListedObject = v.InferOutput<typeof listed>

/** A line of the list of objects. @throws ValiError, SyntaxError */
export const parseListed = (line: string): ListedObject => v.parse(listed, JSON.parse(line))
