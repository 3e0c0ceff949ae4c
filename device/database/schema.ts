// What this device stores: the shape of every row, parsed with valibot whenever it is read.
import * as v from 'valibot'
import { sequenceNumber } from '#contract/mutations/sequence-number.ts'
import { mutation } from '#contract/mutations/mutations.ts'
import { errorStatus, fieldCodes, type ErrorCode } from '#contract/errors.ts'
import { documentKind, part, prompt } from '#contract/identity/identity.ts'
import { id } from '#contract/ids.ts'
import { postType } from '#contract/posts/posts.ts'
import { sessionUser } from '#contract/accounts/session.ts'
import { conversion } from '#device/files/conversion-row.ts'
import { wait } from '#device/jobs/wait-row.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Milliseconds since 1970. */
const time = v.number()

/** `tus`: resumable (/post/upload2). `chunked`: 6 MiB chunks after the post was added (/post/upload). */
export const protocol = v.picklist(['tus', 'chunked'])
export type Protocol = v.InferOutput<typeof protocol>

export const draftRow = v.object({
  id,
  ownerId: id,
  content: v.string(),
  type: postType,
  planIds: v.array(id),
  /** As typed; the contract parses it when the post is added. */
  price: v.string(),
  isAgeLimited: v.boolean(),
  /** By which calls of section 7 it will travel. */
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
  /** What it is to its draft: of a post, or a part of an identity check. */
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
  /** Chunks stored so far, and once all are: the composite SHA-256 of the file (contract/digest.ts). */
  bytes: v.variant('is', [
    v.object({ is: v.literal('copying'), stored: count }),
    v.object({ is: v.literal('stored'), digest: v.string() }),
    /** There was no room for them: a page that is open keeps the picked file (picked.ts). */
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
  /** SHA-256 of the chunk, 32 bytes. */
  sha256: v.instance(Uint8Array),
  /** A Blob where the engine stores slices rightly, an ArrayBuffer elsewhere (see byte-form.ts). */
  bytes: v.union([v.instance(Blob), v.instance(ArrayBuffer)]),
})
export type Chunk = v.InferOutput<typeof chunkRow>

/** A reason the device itself found, beside the server's codes. */
export const deviceCodes = ['bytes_missing', 'no_post_id', 'row_broken'] as const
export type DeviceCode = (typeof deviceCodes)[number]
export type FailureCode = ErrorCode | DeviceCode
const failureCode = v.picklist([...(Object.keys(errorStatus) as ErrorCode[]), ...deviceCodes])

export const mediaFacts = v.object({
  id,
  size: count,
  /** Bytes the server says it has. Its word is the only truth; it can go down. */
  acked: count,
  /** The server has had this upload at some time: its absence then is a loss, not a beginning. */
  begun: v.boolean(),
  /** Where the server keeps it; its last path segment is the upload's id (specification section 3). */
  url: v.nullable(v.string()),
  done: v.boolean(),
  paused: v.boolean(),
  /** Its bytes travel inside `/post/add` (images of the legacy protocol). */
  inside: v.optional(v.boolean(), false),
  /** How often this media was sent again from its first byte, by the reason that counts. */
  resends: v.object({ digest: count, gone: count }),
  /** The server's bytes are wrong or unwanted and wait to be removed there. */
  discard: v.boolean(),
  /** Why the server will not have this file; the others go on. */
  failed: v.optional(v.nullable(failureCode), null),
  /** The person took this file out of the post; it goes from here once the server has forgotten it. */
  dropped: v.optional(v.boolean(), false),
})
export type MediaFacts = v.InferOutput<typeof mediaFacts>

/** What a job brings to the server: a post, or an identity check. */
export const jobKind = v.picklist(['post', 'identity'])
export type JobKind = v.InferOutput<typeof jobKind>

export const jobFacts = v.object({
  kind: v.optional(v.picklist([...jobKind.options, 'act']), 'post'),
  /** Files of a draft that is still being written: they are sent, and nothing else is. */
  early: v.optional(v.boolean(), false),
  /** The post is added before its video is sent (legacy protocol). */
  addFirst: v.optional(v.boolean(), false),
  media: v.array(mediaFacts),
  /** What makes the post or the check was sent and may have made it: until its answer is known the job can't be taken back. */
  addTried: v.boolean(),
  post: v.nullable(v.object({ id: v.string(), videoId: v.nullable(v.string()) })),
  ending: v.variant('is', [
    v.object({ is: v.literal('open') }),
    v.object({ is: v.literal('cancelled') }),
    v.object({ is: v.literal('released'), at: time }),
    /** One request made it, and its answer is here: `id` is the server's name for it. */
    v.object({ is: v.literal('delivered'), id: v.string(), at: time }),
    v.object({
      is: v.literal('failed'),
      code: failureCode,
      fields: v.optional(v.record(v.string(), v.picklist(fieldCodes))),
    }),
  ]),
  /** Failures in a row since the last progress. */
  attempts: count,
  wait,
  /** How often the post was added again because the server no longer had it. */
  readds: v.optional(count),
})
export type JobFacts = v.InferOutput<typeof jobFacts>

const postJob = v.object({
  kind: v.literal('post'),
  /** The draft's id. */
  id,
  ownerId: id,
  /** The post's idempotency key, new at each submission; rows from before it used the id. */
  key: v.optional(id),
  protocol,
  form: v.object({
    content: v.string(),
    type: postType,
    planIds: v.array(id),
    price: v.string(),
    isAgeLimited: v.boolean(),
    kind: v.picklist(['none', 'images', 'video']),
    /** Whole seconds of the video. */
    duration: v.nullable(count),
    thumbnailId: v.nullable(id),
    frameId: v.nullable(id),
  }),
  facts: jobFacts,
  createdAt: time,
})
export type PostJob = v.InferOutput<typeof postJob>

const identityJob = v.object({
  kind: v.literal('identity'),
  /** The identity draft's id. */
  id,
  ownerId: id,
  key: id,
  protocol: v.literal('tus'),
  form: v.object({
    documentKind,
    promptsId: id,
    /** Its media, by part. */
    front: id,
    back: v.nullable(id),
    live: id,
  }),
  facts: jobFacts,
  createdAt: time,
})
export type IdentityJob = v.InferOutput<typeof identityJob>

export const jobRow = v.variant('kind', [postJob, identityJob])
export type Job = v.InferOutput<typeof jobRow>

/** What is there of an identity check that is not sent yet; one per person. */
export const identityRow = v.object({
  id,
  ownerId: id,
  documentKind: v.nullable(documentKind),
  /** What the recording shows; set with it. */
  asked: v.nullable(v.object({ id, prompts: v.array(prompt), expiresAt: time })),
  front: v.nullable(id),
  back: v.nullable(id),
  live: v.nullable(id),
  createdAt: time,
})
export type IdentityDraft = v.InferOutput<typeof identityRow>

/** What has gone up of a draft that is still being written; its submission takes the facts over. */
export const earlyRow = v.object({
  /** The draft's id. */
  id,
  ownerId: id,
  protocol: v.literal('tus'),
  /** The post is not written yet. */
  form: v.null(),
  facts: jobFacts,
  createdAt: time,
})
export type Early = v.InferOutput<typeof earlyRow>

/** What is sent with its files. */
export type Delivery = Job | Early

/** Something small that is done with one request, and can wait for the network. */
export const mutationRow = v.object({
  kind: v.literal('act'),
  id,
  ownerId: id,
  /** `about`: whose post, comment or profile it is about, for the person to read. */
  form: v.object({ act: mutation, about: v.string() }),
  /** By it the server knows what came after it; rows from before there were numbers have none. */
  number: v.optional(sequenceNumber),
  facts: jobFacts,
  createdAt: time,
})
export type MutationJob = v.InferOutput<typeof mutationRow>

/** What the queue works on. */
export type Queued = Delivery | MutationJob

/** What stays of a released job: proof against a second submission, and what the screen still has to say. */
export const receiptRow = v.object({
  kind: v.optional(jobKind, 'post'),
  id,
  ownerId: id,
  /** The post, or the check, as the server names it. */
  postId: v.string(),
  releasedAt: time,
  /** The person has been told. */
  told: v.boolean(),
})
export type Receipt = v.InferOutput<typeof receiptRow>

export const sessionRow = v.object({ token: v.pipe(v.string(), v.nonEmpty()), user: sessionUser })
export type Session = v.InferOutput<typeof sessionRow>

/** What another app shared, until the editor has taken it. */
export const sharedRow = v.object({
  /** The id of the draft that takes it. */
  id,
  /** Who was signed in; null when nobody was. */
  ownerId: v.nullable(id),
  text: v.string(),
  files: v.array(v.instance(File)),
  at: time,
})
export type Shared = v.InferOutput<typeof sharedRow>
