// The shape of every row on this device, parsed with valibot at each read.
import * as v from 'valibot'
import { documentKind, part, prompt } from '#contract/identity/identity.ts'
import { id } from '#contract/ids.ts'
import { postType } from '#contract/posts/posts.ts'
import { sessionUser } from '#contract/accounts/session.ts'
import { conversion } from '#device/files/conversion-row.ts'
import { protocol, receiptKind } from '#device/jobs/job-rows.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Milliseconds since 1970. */
const time = v.number()

export const draftRow = v.object({
  id,
  ownerId: id,
  content: v.string(),
  /** What people see of a plan or priced post before it opens to them; '' in rows from before there were any. */
  title: v.optional(v.string(), ''),
  introduction: v.optional(v.string(), ''),
  type: postType,
  planIds: v.array(id),
  /** As typed; the contract parses it when the post is added. */
  price: v.string(),
  isAgeLimited: v.boolean(),
  commentsClosed: v.optional(v.boolean(), false),
  /** For which video, and by which version, the person has declared (contract/posts/film-declaration.ts). */
  declaredFilm: v.optional(v.nullable(v.object({ mediaId: id, version: count })), null),
  /** By which calls of section 7 it is sent. */
  protocol: v.optional(protocol, 'tus'),
  /** Photos are sent in the size they were taken. */
  keepSize: v.optional(v.boolean(), false),
  /** The person pressed 投稿 while photos were being converted: it is submitted once they are ready. */
  submitWhenReady: v.optional(v.boolean(), false),
  /** The post's media in their order. */
  mediaIds: v.array(id),
  /** A thumbnail the person chose, and the frame taken from the video at 2 s. */
  thumbnailId: v.nullable(id),
  frameId: v.nullable(id),
  /** Counts the writes of this row; 0 for one that was never stored, and for rows from before there were revisions. */
  revision: v.optional(count, 0),
  createdAt: time,
  updatedAt: time,
})
export type Draft = v.InferOutput<typeof draftRow>

export const mediaRow = v.object({
  id,
  draftId: id,
  ownerId: id,
  /** What it is to its draft: of a post or message, or a part of an identity check. */
  role: v.picklist(['media', 'thumbnail', 'frame', ...part.options]),
  kind: v.picklist(['image', 'video']),
  name: v.string(),
  mime: v.string(),
  /** Bytes. */
  size: count,
  /** Whole seconds; null for images and until it is known. */
  duration: v.nullable(count),
  /** What an image shows, for those who cannot see it. */
  alt: v.optional(v.string(), ''),
  /**
   * Chunks stored so far, and once all are: the composite SHA-256 of the file (contract/digest.ts), empty for a picked
   * photo before its conversion (photos.ts).
   */
  bytes: v.variant('is', [
    v.object({ is: v.literal('copying'), stored: count }),
    v.object({ is: v.literal('stored'), digest: v.string() }),
    /** There was no room for them: the open page holds the picked file (page-held.ts). */
    v.object({ is: v.literal('picked'), digest: v.string() }),
  ]),
  /** Rows from before photos were stored unconverted are ready. */
  conversion: v.optional(conversion, { is: 'ready' }),
  createdAt: time,
})
export type Media = v.InferOutput<typeof mediaRow>

export const chunkRow = v.object({
  mediaId: id,
  index: count,
  size: count,
  /** SHA-256 of the chunk, 32 bytes; empty where the row of its media has no digest. */
  sha256: v.instance(Uint8Array),
  /** A Blob where the engine stores slices rightly, an ArrayBuffer elsewhere (see byte-form.ts). */
  bytes: v.union([v.instance(Blob), v.instance(ArrayBuffer)]),
})
export type Chunk = v.InferOutput<typeof chunkRow>

/** An identity check that is not submitted yet; one per person. */
export const identityRow = v.object({
  id,
  ownerId: id,
  /** Whether the person has compared their name with the document. Rows of before have none. */
  named: v.optional(v.boolean(), false),
  documentKind: v.nullable(documentKind),
  /** The prompts of the recording. */
  asked: v.nullable(v.object({ id, prompts: v.array(prompt), expiresAt: time })),
  front: v.nullable(id),
  back: v.nullable(id),
  live: v.nullable(id),
  createdAt: time,
})
export type IdentityDraft = v.InferOutput<typeof identityRow>

/** Files picked for a message that is not sent yet; one row for each conversation with any. Its text is a note. */
export const messageDraftRow = v.object({
  /** The id of the message to be. */
  id,
  ownerId: id,
  recipientId: id,
  /** In the order of the message. */
  mediaIds: v.array(id),
  createdAt: time,
})
export type MessageDraft = v.InferOutput<typeof messageDraftRow>

/** The row that remains of a delivered job: it prevents a second submission, and the screen shows the result from it. */
export const receiptRow = v.object({
  kind: v.optional(receiptKind, 'post'),
  id,
  ownerId: id,
  /** The post, or the check, as the server names it. */
  postId: v.string(),
  releasedAt: time,
  /** The person has seen the result. */
  told: v.boolean(),
})
export type Receipt = v.InferOutput<typeof receiptRow>

export const sessionRow = v.object({ token: v.pipe(v.string(), v.nonEmpty()), user: sessionUser })
export type Session = v.InferOutput<typeof sessionRow>

/** What another app shared, until the editor has taken it. */
export const sharedRow = v.object({
  /** The id of the draft that takes it. */
  id,
  /** The signed-in person; null without a session. */
  ownerId: v.nullable(id),
  text: v.string(),
  files: v.array(v.instance(File)),
  at: time,
})
export type Shared = v.InferOutput<typeof sharedRow>
