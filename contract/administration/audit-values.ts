// Schemas of single values in details of the audit log.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { day } from '#contract/rules.ts'

/** SHA-256 of a file, in hexadecimal. */
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/**
 * Schemas that a detail may have besides lists of them, picklists, literals and null: no schema for free text is among them, so
 * that no entry has a name, an address or a text of a person.
 */
export const detailValues = { id, day, number: v.number(), flag: v.boolean(), digest: sha256 } as const
