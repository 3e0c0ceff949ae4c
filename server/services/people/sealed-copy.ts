// Encrypts and decrypts copies of reported messages, each for its place in its report.
import * as v from 'valibot'
import { id, instant } from '#contract/ids.ts'
import type { Secrets } from '#server/adapters/secrets.ts'

const copied = v.object({
  id,
  content: v.nullable(v.string()),
  /** The id of the post that it carries; copies of earlier versions lack it. */
  postId: v.optional(v.nullable(id), null),
  sentAt: instant,
})
export type CopiedMessage = v.InferOutput<typeof copied>

const placeOf = (reportId: string, seq: number) => `${reportId} ${seq}`

export const sealCopy = (secrets: Secrets, reportId: string, seq: number, it: CopiedMessage): string =>
  secrets.seal('reported-message', Buffer.from(JSON.stringify(it)), placeOf(reportId, seq))

/** @throws when the copy was changed, or is of another place or report */
export const openCopy = (secrets: Secrets, reportId: string, seq: number, sealed: string): CopiedMessage =>
  v.parse(copied, JSON.parse(secrets.open('reported-message', sealed, placeOf(reportId, seq)).toString()))
