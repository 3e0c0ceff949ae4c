// Tables of posts, their media, the plans that open them, and their purchases.
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_ALT, MAX_FIELD_BYTES, MAX_INTRODUCTION, MAX_POST_TITLE } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { media } from './media.ts'
import { users } from './people.ts'
import { plans } from './plans.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

const listed = (table: { releasedAt: AnyPgColumn; deletedAt: AnyPgColumn }) =>
  sql`${table.releasedAt} is not null and ${table.deletedAt} is null`

export const posts = pgTable(
  'posts',
  {
    id: uuid('id').primaryKey(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client's Idempotency-Key: one post for each author and key. */
    idempotencyKey: uuid('idempotency_key'),
    type: smallint('type').$type<1 | 2 | 3>().notNull(),
    content: text('content').notNull(),
    /** What everybody who may see that the post exists reads of it; '' without one. */
    title: text('title').notNull().default(''),
    introduction: text('introduction').notNull().default(''),
    isAgeLimited: boolean('is_age_limited').notNull(),
    price: integer('price'),
    /** Whether no further comments are accepted. */
    commentsClosed: boolean('comments_closed').notNull().default(false),
    createdAt: at('created_at').notNull(),
    releasedAt: at('released_at'),
    /** When a text of it was last changed after the release. */
    editedAt: at('edited_at'),
    deletedAt: at('deleted_at'),
    /** Set while a measure hides or removes it, besides `deleted_at`. */
    withheldAt: at('withheld_at'),
    /** Set while an automatic hold waits for its review; `released_at` is null then, so that its author alone sees it. */
    heldAt: at('held_at'),
  },
  (table) => [
    uniqueIndex('posts_author_key').on(table.authorId, table.idempotencyKey),
    // For lists: a page is found without reading posts that are not on it.
    index('posts_released').on(table.releasedAt, table.id).where(listed(table)),
    index('posts_author_released').on(table.authorId, table.releasedAt, table.id).where(listed(table)),
    // For the feed of members, which reads only posts that plans open.
    index('posts_author_planned')
      .on(table.authorId, table.releasedAt, table.id)
      .where(sql`${listed(table)} and ${table.type} = 2`),
    sized('posts_title_size', table.title, bytesFor(MAX_POST_TITLE)),
    sized('posts_introduction_size', table.introduction, bytesFor(MAX_INTRODUCTION)),
  ],
)

/** Texts of a post before an edit, where someone could have bought them: buyers go on reading what they paid for. */
export const postVersions = pgTable(
  'post_versions',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Until then they were the texts of the post; after each order of them. */
    replacedAt: at('replaced_at').notNull(),
    content: text('content').notNull(),
    title: text('title').notNull(),
    introduction: text('introduction').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.replacedAt] }),
    index('post_versions_author').on(table.authorId),
    // Texts from before the limits of a post are at most as long as a form field.
    sized('post_versions_content_size', table.content, MAX_FIELD_BYTES),
    sized('post_versions_title_size', table.title, bytesFor(MAX_POST_TITLE)),
    sized('post_versions_introduction_size', table.introduction, bytesFor(MAX_INTRODUCTION)),
  ],
)

/** What authors have declared about age-limited films that they sell. */
export const filmDeclarations = pgTable('film_declarations', {
  postId: uuid('post_id')
    .primaryKey()
    .references(() => posts.id, { onDelete: 'cascade' }),
  /** Of the text (`contract/posts/film-declaration.ts`). */
  version: integer('version').notNull(),
  declaredAt: at('declared_at').notNull(),
})

/** Idempotency keys of withdrawn posts: a request that arrives late adds no post with them. */
export const withdrawnKeys = pgTable(
  'withdrawn_keys',
  {
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: uuid('key').notNull(),
    withdrawnAt: at('withdrawn_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.authorId, table.key] }),
    index('withdrawn_keys_at').on(table.withdrawnAt),
  ],
)

export const postMedia = pgTable(
  'post_media',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    /** A media belongs to one post at most. */
    mediaId: uuid('media_id')
      .primaryKey()
      .references(() => media.id),
    role: text('role', { enum: ['image', 'video', 'thumbnail', 'blurred'] }).notNull(),
    position: integer('position').notNull(),
    /** The author's description; '' without one. */
    alt: text('alt').notNull().default(''),
  },
  (table) => [
    index('post_media_post').on(table.postId, table.position),
    sized('post_media_alt_size', table.alt, bytesFor(MAX_ALT)),
  ],
)

export const postPlans = pgTable(
  'post_plans',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.planId] }),
    index('post_plans_plan').on(table.planId),
  ],
)

export const postPurchases = pgTable(
  'post_purchases',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Yen paid, tax included. */
    price: integer('price').notNull(),
    boughtAt: at('bought_at').notNull(),
    /** Set at a refund: the purchase no longer opens the post. */
    revokedAt: at('revoked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('post_purchases_user').on(table.userId),
    // For the numbers of an author's posts by day.
    index('post_purchases_day').on(table.postId, table.boughtAt),
  ],
)
