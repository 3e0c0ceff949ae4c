// The text of a notice as a closed tree, which the server parses from Markdown.
import * as v from 'valibot'
import { MAX_CONTENT } from '#contract/limits.ts'

/** Longest title and body of a notice, grapheme clusters. */
export const MAX_NOTICE_TITLE = 80
export const MAX_NOTICE_BODY = MAX_CONTENT

/** A stretch of text of one look; `\n` is a line break. */
const piece = v.object({
  text: v.string(),
  bold: v.optional(v.literal(true)),
  /** An address that begins with https://. */
  href: v.optional(v.pipe(v.string(), v.startsWith('https://'))),
})
const pieces = v.array(piece)

const block = v.variant('is', [
  v.object({ is: v.literal('heading'), level: v.picklist([2, 3]), pieces }),
  v.object({ is: v.literal('paragraph'), pieces }),
  v.object({ is: v.literal('list'), ordered: v.boolean(), items: v.array(pieces) }),
])

/** Blocks without nesting. No other kind of content exists: no HTML, no picture, no code. */
export const noticeContent = v.array(block)
export type NoticeContent = v.InferOutput<typeof noticeContent>
export type NoticeBlock = NoticeContent[number]
export type NoticePiece = v.InferOutput<typeof piece>
