// Posts: adding, releasing, listing, reading (specification sections 3, 5, 7).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_IMAGES } from '#contract/limits.ts'
import { holdReasons } from '#contract/moderation/hold-names.ts'
import { mediaView } from './media.ts'
import { mentionView } from '#contract/text/mentions.ts'
import { personView } from '#contract/people/people.ts'
import { planView } from '#contract/plans/plans.ts'
import { imageAlt, postContent, postIntroduction, postTitle } from './post-texts.ts'
import { price } from './price.ts'
import { postCounts } from './reactions.ts'

/** Section 3: 1 everyone, 2 plan members, 3 one-time purchase. */
export const postType = v.picklist([1, 2, 3])
export type PostType = v.InferOutput<typeof postType>

/** What a viewer who may not see a post would have to do to see it. */
export const wants = v.picklist(['sign_in', 'plan', 'purchase', 'age'])
export type Wants = v.InferOutput<typeof wants>

const fullAccess = v.object({
  is: v.literal('full'),
  content: v.string(),
  /** The handles in the text that belong to an account. */
  mentions: v.array(mentionView),
  media: v.array(mediaView),
  /** When the viewer's right to it ends, where that is known: a membership that is not prolonged. */
  until: v.optional(instant),
  /** A bought post whose author and viewer are blocked: it can be read, without reactions and comments. */
  read_only: v.optional(v.literal(true)),
  /** For its author alone: what opens it to others. */
  opens_with: v.optional(v.object({ plan_ids: v.array(id), price: v.nullable(v.number()) })),
})
const previewAccess = v.object({
  is: v.literal('preview'),
  wants,
  /** Blurred picture made by the server from a 32 px copy; null when the post has no picture. */
  blurred_url: v.nullable(v.string()),
  image_count: v.number(),
  has_video: v.boolean(),
  /** Length of the text, grapheme clusters; servers of an earlier version leave it out. */
  text_length: v.optional(v.number()),
  /** Whole seconds of the video, where they are known. */
  video_seconds: v.optional(v.number()),
  /** Yen, tax included; for `wants: 'purchase'`. */
  price: v.nullable(v.number()),
  /** Plans that open the post; for `wants: 'plan'`. */
  plans: v.array(planView),
  /** Whether the viewer has joined one of them, and it opens only posts released since then. */
  before_joining: v.optional(v.boolean()),
})

export const postView = v.object({
  id,
  author: personView,
  type: postType,
  is_age_limited: v.boolean(),
  created_at: instant,
  /** Null while the post waits for its release; then only its author can see it. */
  released_at: v.nullable(instant),
  /** Its open title, for everybody who may see that it exists; absent where there is none. */
  title: v.optional(v.string()),
  /** Its open introduction, as the title. */
  introduction: v.optional(v.string()),
  /** When text, title or introduction was last changed after the release. */
  edited_at: v.nullable(instant),
  counts: postCounts,
  /** Whether its author accepts no further comments; replies that devices cached from earlier servers lack it. */
  comments_closed: v.optional(v.boolean()),
  /** Whether the viewer likes it. */
  liked: v.boolean(),
  /** For its author alone, while it waits for a review: why, and the word of the operator's list or ''. */
  held: v.optional(v.object({ reason: v.picklist(holdReasons), word: v.string() })),
  access: v.variant('is', [fullAccess, previewAccess]),
})
export type PostView = v.InferOutput<typeof postView>
export type PostAccess = PostView['access']

const oneOrMany = <S extends v.GenericSchema>(one: S) =>
  v.pipe(
    v.optional(v.union([v.array(one), one]), []),
    v.transform((it): v.InferOutput<S>[] => (Array.isArray(it) ? it : [it])),
  )

const digest = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/, 'malformed'))

/** `<upload id>:<composite SHA-256, base64>`; see docs/decisions/002. */
export const uploadDigest = v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}:[A-Za-z0-9+/]{43}=$/, 'malformed'))

/** A choice in a form of text fields. */
const formFlag = v.pipe(
  v.picklist(['0', '1'], 'malformed'),
  v.transform((it) => it === '1'),
)

const digits = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'malformed'), v.transform(Number), v.integer())

/** Text fields of `POST /post/add` (section 7). Files travel beside them under the names in `files`. */
export const addPostBody = v.pipe(
  v.object({
    content: v.optional(postContent, ''),
    /** What people see of a plan or priced post before it opens to them. Devices with an earlier version do not send it. */
    title: v.optional(postTitle, ''),
    introduction: v.optional(postIntroduction, ''),
    type: v.pipe(v.string(), v.picklist(['1', '2', '3'], 'malformed'), v.transform(Number), postType),
    is_age_limited: v.optional(formFlag, '0'),
    /** Whether it accepts no comments. Devices with an earlier version do not send it. */
    comments_closed: v.optional(formFlag, '0'),
    /**
     * Version of the declaration about an age-limited film (film-declaration.ts). The specification has no such field: a plan or priced post
     * without it is added, and held at its release until its author declares.
     */
    film_declaration: v.optional(digits),
    'plan_id[]': oneOrMany(id),
    /** Yen, as people write it. */
    price: v.optional(price),
    'has_image_file[]': v.pipe(oneOrMany(id), v.maxLength(MAX_IMAGES, 'too_long')),
    /** The descriptions of the images, for people who cannot see them, in the order of the images; '' for none. */
    'image_alt[]': v.pipe(oneOrMany(imageAlt), v.maxLength(MAX_IMAGES, 'too_long')),
    /** Id of the finished upload that is the post's video; `1` when it follows by `sendChunk`. */
    has_video_file: v.optional(v.union([v.literal('1'), id])),
    video_duration: v.optional(digits),
    'upload_digest[]': oneOrMany(uploadDigest),
    /** Composite SHA-256 of the `image_file[]` parts, in their order. */
    'image_digest[]': oneOrMany(digest),
    /** Composite SHA-256 of a video that follows by `sendChunk`, base64; checked at the release. */
    video_digest: v.optional(digest),
  }),
  v.forward(
    v.check((it) => it.type !== 2 || it['plan_id[]'].length > 0, 'required'),
    ['plan_id[]'],
  ),
  v.forward(
    v.check((it) => it.type !== 3 || it.price !== undefined, 'required'),
    ['price'],
  ),
)
export type AddPost = v.InferOutput<typeof addPostBody>

/**
 * Adds an unreleased post. `Idempotency-Key` (a UUID made by the client) makes it safe to repeat:
 * the same person and key get the first reply again and no second post. `identity_required`: a plan or priced post
 * of a person without an approved identity check; nothing was added, and uploads stay for a later request.
 */
export const addPost = endpoint({
  name: 'addPost',
  method: 'POST',
  path: '/post/add',
  audience: 'member',
  summary: '投稿を作成します（公開前）',
  body: addPostBody,
  encoding: 'multipart',
  files: ['image_url', 'video_thumbnail_file', 'blurred_image_file', 'image_file[]'],
  reply: v.object({
    data: v.array(v.object({ item: v.object({ id, video_id: v.nullable(v.string()) }) })),
  }),
  errors: [
    'hour_limit',
    'day_limit',
    'unauthenticated',
    'identity_required',
    'gone',
    'post_deleted',
    'conflict',
    'upload_incomplete',
    'digest_mismatch',
    'too_large',
    'unsupported_media',
    'storage_limit',
    'storage_full',
  ],
})

/**
 * One 6 MiB chunk of the video of an added post (section 7, first variant), in order from 0. `file_id` is the
 * `video_id` of the add. A chunk that was received before changes nothing; one past the next is `chunk_out_of_order`.
 */
export const sendChunk = endpoint({
  name: 'sendChunk',
  method: 'POST',
  path: '/post/upload-chunking',
  audience: 'member',
  summary: '動画の一部を送ります（6 MiBずつ、順番に）',
  body: v.object({
    file_id: id,
    file_name: v.pipe(v.string(), v.maxLength(255, 'too_long')),
    /** Index from 0, and how many there are. */
    chunk: digits,
    chunks: digits,
  }),
  encoding: 'multipart',
  files: ['file'],
  /** `received`: how many chunks the server has, from the first on. */
  reply: v.object({ data: v.object({ file_id: id, chunk: v.number(), received: v.number() }) }),
  errors: [
    'unauthenticated',
    'not_found',
    'gone',
    'chunk_out_of_order',
    'conflict',
    'too_large',
    'storage_limit',
    'storage_full',
  ],
})

/** Takes an added post back that was never released: its uploads and its idempotency key are free again. */
export const withdrawPost = endpoint({
  name: 'withdrawPost',
  method: 'DELETE',
  path: '/post/unreleased/:post_id',
  audience: 'member',
  summary: '公開前の投稿を取り下げます',
  params: v.object({ post_id: id }),
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

/**
 * Releases a post; releasing it again has the same reply and no further effect. A video that came by `sendChunk` must
 * be whole (`upload_incomplete`), equal to the picked file (`digest_mismatch`: its chunks are then sent again) and a video.
 */
export const releasePost = endpoint({
  name: 'releasePost',
  method: 'POST',
  path: '/post/release-uploaded/:post_id',
  audience: 'member',
  summary: '投稿を公開します',
  params: v.object({ post_id: id }),
  reply: v.object({ data: v.object({ id, released_at: instant }) }),
  errors: [
    'unauthenticated',
    'identity_required',
    'post_deleted',
    'not_found',
    'upload_incomplete',
    'digest_mismatch',
    'unsupported_media',
  ],
})

/** Lists the released posts that are visible to the viewer, newest first. `cursor` is the previous page's `next`. */
export const listPosts = endpoint({
  name: 'listPosts',
  method: 'GET',
  path: '/posts',
  audience: 'member',
  cached: true,
  summary: '公開された投稿（新しい順）',
  query: v.object({
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
    author: v.optional(id),
    /** Of one type alone. */
    type: v.optional(v.pipe(v.picklist(['1', '2', '3'], 'malformed'), v.transform(Number), postType)),
    /** Of those that this plan opens. */
    plan: v.optional(id),
  }),
  reply: v.object({ posts: v.array(postView), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

export const getPost = endpoint({
  name: 'getPost',
  method: 'GET',
  path: '/posts/:post_id',
  audience: 'member',
  cached: true,
  summary: '投稿ひとつ',
  params: v.object({ post_id: id }),
  reply: postView,
  errors: ['unauthenticated', 'not_found'],
})
