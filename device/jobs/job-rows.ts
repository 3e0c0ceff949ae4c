// The rows of the queue: a schema and stages for each kind of job.
import * as v from 'valibot'
import { fieldCodes } from '#contract/errors.ts'
import { documentKind } from '#contract/identity/identity.ts'
import { id } from '#contract/ids.ts'
import { mutation } from '#contract/mutations/mutations.ts'
import { sequenceNumber } from '#contract/mutations/sequence-number.ts'
import { postType } from '#contract/posts/posts.ts'
import { failureCode } from './failure-code.ts'
import { fileRow } from './file-row.ts'
import { wait } from './wait-row.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Milliseconds since 1970. */
const time = v.number()

/** `tus`: resumable (/post/upload2). `chunked`: 6 MiB chunks after the post was added (/post/upload). */
export const protocol = v.picklist(['tus', 'chunked'])
export type Protocol = v.InferOutput<typeof protocol>

/** Failures in a row since the last progress, and until when the job waits because of them. */
const retry = { attempts: count, wait }

/** Nothing was sent except files. */
const open = v.object({ is: v.literal('open') })
/** The creating request was sent and may have taken effect. The job can't be cancelled before the reply is known. */
const requested = v.object({ is: v.literal('requested') })
/** The creating request was answered; `id` is the server's id of the result. */
const delivered = v.object({ is: v.literal('delivered'), id: v.string(), at: time })
const cancelled = v.object({ is: v.literal('cancelled') })
const failure = {
  is: v.literal('failed'),
  code: failureCode,
  fields: v.optional(v.record(v.string(), v.picklist(fieldCodes))),
  /** Whether a page has reported this failure. A retry has a stage of its own, and so has its failure. */
  told: v.optional(v.literal(true)),
}

/** A post that the server has added. `videoId`: the legacy protocol's name of its video. */
const addedPost = v.object({ id: v.string(), videoId: v.nullable(v.string()) })
export type AddedPost = v.InferOutput<typeof addedPost>

export const postStage = v.variant('is', [
  open,
  requested,
  v.object({ is: v.literal('added'), post: addedPost }),
  v.object({ is: v.literal('released'), post: addedPost, at: time }),
  /** `post`: added and not released when the job failed. */
  v.object({ ...failure, post: v.nullable(addedPost) }),
  /** `post`: still to be withdrawn. */
  v.object({ is: v.literal('cancelled'), post: v.nullable(addedPost) }),
])

const postJob = v.object({
  kind: v.literal('post'),
  /** The draft's id. */
  id,
  ownerId: id,
  /** The post's idempotency key, new at each submission. */
  key: id,
  protocol,
  form: v.object({
    content: v.string(),
    /** '' in jobs from before there were any. */
    title: v.optional(v.string(), ''),
    introduction: v.optional(v.string(), ''),
    type: postType,
    planIds: v.array(id),
    price: v.string(),
    isAgeLimited: v.boolean(),
    /** False in jobs from before it could be chosen. */
    commentsClosed: v.optional(v.boolean(), false),
    /** Version of the declaration about an age-limited film that is sold; null for none. */
    filmDeclaration: v.optional(v.nullable(count), null),
    kind: v.picklist(['none', 'images', 'video']),
    /** Whole seconds of the video. */
    duration: v.nullable(count),
    thumbnailId: v.nullable(id),
    frameId: v.nullable(id),
  }),
  files: v.array(fileRow),
  stage: postStage,
  /** How often the post was added again because the server no longer had it. */
  readds: count,
  ...retry,
  createdAt: time,
})
export type PostJob = v.InferOutput<typeof postJob>

const identityJob = v.object({
  kind: v.literal('identity'),
  /** The identity draft's id. */
  id,
  ownerId: id,
  /** The check's idempotency key. */
  key: id,
  form: v.object({
    documentKind,
    promptsId: id,
    /** Its media, by part. */
    front: id,
    back: v.nullable(id),
    live: id,
  }),
  files: v.array(fileRow),
  stage: v.variant('is', [open, requested, delivered, v.object(failure), cancelled]),
  ...retry,
  createdAt: time,
})
export type IdentityJob = v.InferOutput<typeof identityJob>

const messageJob = v.object({
  kind: v.literal('message'),
  /** The message's id: sent again, it is the same message. */
  id,
  ownerId: id,
  /** The id again: every submitted job has a key. */
  key: id,
  /** `content`: '' for files alone. `about`: the recipient's name, for the screen. */
  form: v.object({ recipientId: id, content: v.string(), replyTo: v.nullable(id), about: v.string() }),
  /** In the order of the message. */
  files: v.array(fileRow),
  stage: v.variant('is', [open, requested, delivered, v.object(failure), cancelled]),
  ...retry,
  createdAt: time,
})
export type MessageJob = v.InferOutput<typeof messageJob>

/** A job whose files are sent first, and then one request. */
export type RequestJob = IdentityJob | MessageJob

/** A submitted post, identity check or message with files. */
export const jobRow = v.variant('kind', [postJob, identityJob, messageJob])
export type Job = v.InferOutput<typeof jobRow>
export type JobKind = Job['kind']
/** Kinds whose delivered jobs leave a receipt. */
export const receiptKind = v.picklist(['post', 'identity'])

/** Files of a draft that is still being written; its submission takes them over. */
export const preuploadRow = v.object({
  kind: v.literal('preupload'),
  /** The draft's id. */
  id,
  ownerId: id,
  files: v.array(fileRow),
  /** `cancelled`: the draft was discarded. */
  stage: v.variant('is', [open, v.object(failure), cancelled]),
  ...retry,
  createdAt: time,
})
export type Preupload = v.InferOutput<typeof preuploadRow>

/** A mutation: a like, a follow, a comment, sent by one request. */
export const mutationRow = v.object({
  kind: v.literal('mutation'),
  id,
  ownerId: id,
  /** `about`: the name of the person whose post, comment or profile it changes, for the screen. */
  form: v.object({ mutation, about: v.string() }),
  /** The server orders the mutations of a device by it; rows of the first builds have none. */
  number: v.optional(sequenceNumber),
  stage: v.variant('is', [open, requested, delivered, v.object(failure)]),
  ...retry,
  createdAt: time,
})
export type MutationJob = v.InferOutput<typeof mutationRow>

/** A job with files. */
export type FileJob = Job | Preupload
/** A job of any kind. */
export type Queued = FileJob | MutationJob

/** The post that the server has added for a job and not released, or released; null where there is none. */
export const addedPostOf = ({ stage }: PostJob): AddedPost | null => ('post' in stage ? stage.post : null)

/**
 * Whether the files travel inside the request that adds the post: images of the legacy protocol. They are not uploads.
 */
export const hasFilesInside = ({ protocol: by, form }: PostJob): boolean =>
  by === 'chunked' && form.kind === 'images'

/** Whether one file can be removed from a post: the server has not added the post, and no request to add it was sent. */
export const canDropFile = ({ stage }: PostJob): boolean =>
  stage.is === 'open' || (stage.is === 'failed' && stage.post === null)

/** A post's title or first line, or ''. */
export const titleOf = ({ form }: Pick<PostJob, 'form'>): string =>
  form.title || (form.content.trim().split('\n')[0] ?? '')
