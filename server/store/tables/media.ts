// Tables of uploads, of media made from them, and of profile pictures.
import { sql } from 'drizzle-orm'
import {
  bigint,
  bit,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const uploads = pgTable(
  'uploads',
  {
    /** Chosen by the device, or by the server for clients that choose none. */
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Bytes; null while the client has not announced them (Upload-Defer-Length). */
    length: bigint('length', { mode: 'number' }),
    metadata: jsonb('metadata').$type<Record<string, string | null>>().notNull(),
    /** Composite SHA-256 of the finished file; null until computed. */
    digest: text('digest'),
    /** When the last byte arrived; null while bytes are missing. */
    finishedAt: at('finished_at'),
    /** Complete chunks received of a video of the legacy protocol; null for every other upload. */
    received: integer('received'),
    /** Number of chunks of such a video, as the first chunk announced it. */
    chunks: integer('chunks'),
    /** Composite SHA-256 that the device announced for such a video. */
    wantedDigest: text('wanted_digest'),
    createdAt: at('created_at').notNull(),
    /** When bytes last arrived, to the hour; expiry counts from here. */
    touchedAt: at('touched_at').notNull(),
    /** Set when expiry removed the bytes; the row stays so that the client receives 410. */
    expiredAt: at('expired_at'),
    /** Bytes that an object store has, while the upload grows there: those of its parts and of its tail. */
    stored: bigint('stored_bytes', { mode: 'number' }).notNull().default(0),
    /** By which the object store knows the upload; null before its first part and once it is an object. */
    storeId: text('store_id'),
    /** Bytes after the parts, in an object of their own. */
    tailSize: integer('tail_size').notNull().default(0),
    /** Whether its bytes arrive as numbered parts in any order; then `upload_parts` has what is stored of each. */
    numbered: boolean('numbered').notNull().default(false),
  },
  (table) => [index('uploads_owner').on(table.ownerId), index('uploads_touched').on(table.touchedAt)],
)

/** Parts of uploads that grow in an object store. */
export const uploadParts = pgTable(
  'upload_parts',
  {
    uploadId: uuid('upload_id')
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    /** From 1, in the order of the bytes. */
    no: integer('no').notNull(),
    /** First byte in the upload. */
    start: bigint('start', { mode: 'number' }).notNull(),
    /** Its bytes; of a numbered part those that are stored, from its first one on. */
    size: integer('size').notNull(),
    /** By which the object store knows the part, in quotes; '' on a disk, and for a numbered part that is not whole. */
    etag: text('etag').notNull(),
    /** Of its bytes, base64: the digest of the upload is made of those of its parts. '' where `etag` is. */
    sha256: text('sha256').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.no] })],
)

/** Files that the server has made from an upload, stored with the media row. */
export interface MadeVariants {
  /** Widths of the webp pictures, smallest first. */
  readonly widths: readonly number[]
  readonly poster: boolean
  readonly blurred: boolean
  /** ThumbHash of the picture or poster, base64; older rows have none. */
  readonly hash?: string
  /** The parts of a strip from the top, pixels; `widths` are then of its top alone. */
  readonly parts?: { readonly width: number; readonly heights: readonly number[] }
  /** Whether the first frame of a moving picture is a file of its own; older rows have none. */
  readonly still?: boolean
  /** Whether a video has HLS beside its MP4. */
  readonly hls?: boolean
  /** Heights of the smaller renditions beside it, once they were made. */
  readonly steps?: readonly number[]
  /** Which version refused the file, of a failed one; older rows have none. */
  readonly maker?: number
}

export const media = pgTable(
  'media',
  {
    /** The same id as its upload: one upload is held by one media at most. */
    id: uuid('id')
      .primaryKey()
      .references(() => uploads.id),
    kind: text('kind', { enum: ['image', 'video'] }).notNull(),
    mime: text('mime').notNull(),
    /** `awaited`: its bytes are still to come. */
    state: text('state', { enum: ['awaited', 'processing', 'ready', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When the last attempt began, by the database's clock. */
    begunAt: at('begun_at'),
    /** Since when smaller renditions are requested; null when they are not, or were given up. */
    ladderSince: at('ladder_since'),
    /** When smaller renditions were last begun. */
    ladderBegunAt: at('ladder_begun_at'),
    width: integer('width'),
    height: integer('height'),
    /** Whole seconds. */
    duration: integer('duration'),
    animated: boolean('animated').notNull().default(false),
    made: jsonb('made').$type<MadeVariants>().notNull(),
    failure: text('failure'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('media_state').on(table.state),
    index('media_ladder')
      .on(table.ladderSince)
      .where(sql`${table.ladderSince} is not null`),
  ],
)

/** Profile pictures: avatar and cover. */
export const userPictures = pgTable(
  'user_pictures',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `_next`: uploaded, and replaces the shown picture once it is converted. */
    role: text('role', { enum: ['avatar', 'cover', 'avatar_next', 'cover_next'] }).notNull(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.role] }),
    index('user_pictures_media').on(table.mediaId),
  ],
)

/** Hashes of the converted pictures and posters of posts, which are compared with those of removed ones. */
export const mediaHashes = pgTable('media_hashes', {
  mediaId: uuid('media_id')
    .primaryKey()
    .references(() => media.id, { onDelete: 'cascade' }),
  /** 64 bits of a perceptual hash; null for a video without a poster, and for a plain surface, which resembles any other. */
  picture: bit('picture', { dimensions: 64 }),
})

/** Hashes of media that a measure removed with their post. The media itself is deleted later. */
export const removedMedia = pgTable(
  'removed_media',
  {
    mediaId: uuid('media_id').primaryKey(),
    postId: uuid('post_id').notNull(),
    /** Composite SHA-256 of the original file. */
    digest: text('digest').notNull(),
    picture: bit('picture', { dimensions: 64 }),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('removed_media_digest').on(table.digest), index('removed_media_post').on(table.postId)],
)

/** Objects that no row needs any more, until backups that list them are deleted. */
export const objectRemovals = pgTable(
  'object_removals',
  {
    key: text('key').primaryKey(),
    /** Whose they were; null where no row said so. */
    ownerId: uuid('owner_id'),
    dueAt: at('due_at').notNull(),
  },
  (table) => [
    index('object_removals_due').on(table.dueAt),
    index('object_removals_owner').on(table.ownerId),
    sized('object_removals_key_size', table.key, 200),
  ],
)
