// Tables of likes and comments, their counts, and sequence numbers of mutations.
import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { posts } from './posts.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const person = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
const post = () =>
  uuid('post_id')
    .notNull()
    .references(() => posts.id, { onDelete: 'cascade' })

export const postLikes = pgTable(
  'post_likes',
  { postId: post(), userId: person('user_id'), createdAt: at('created_at').notNull() },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('post_likes_user').on(table.userId, table.createdAt),
    // For the numbers of an author's posts by day.
    index('post_likes_day').on(table.postId, table.createdAt),
  ],
)

/** Two levels: a comment, and replies to it. */
export const comments = pgTable(
  'comments',
  {
    /** Chosen by the device, so that a repeated request changes nothing. */
    id: uuid('id').primaryKey(),
    postId: post(),
    authorId: person('author_id'),
    /** The parent comment of a reply; null for a comment on the post. */
    parentId: uuid('parent_id').references((): AnyPgColumn => comments.id, { onDelete: 'cascade' }),
    /** The reply that this one answers; null when it answers the comment itself. */
    answersId: uuid('answers_id').references((): AnyPgColumn => comments.id, { onDelete: 'set null' }),
    /** '' for a deleted comment. */
    content: text('content').notNull(),
    createdAt: at('created_at').notNull(),
    /** Deleted ones with replies stay as a placeholder. */
    deletedAt: at('deleted_at'),
    deletedBy: text('deleted_by', { enum: ['author', 'post_author', 'admin'] }),
    /** Set while a measure hides or removes it, besides `deleted_at`; its text stays. */
    withheldAt: at('withheld_at'),
    /** Set while an automatic hold waits for its review, besides `deleted_at`; its author sees it. */
    heldAt: at('held_at'),
  },
  (table) => [
    index('comments_post').on(table.postId, table.parentId, table.createdAt, table.id),
    index('comments_parent').on(table.parentId, table.createdAt, table.id),
    index('comments_author').on(table.authorId, table.createdAt),
    index('comments_answers').on(table.answersId),
  ],
)

const comment = () =>
  uuid('comment_id')
    .notNull()
    .references(() => comments.id, { onDelete: 'cascade' })

export const commentLikes = pgTable(
  'comment_likes',
  { commentId: comment(), userId: person('user_id'), createdAt: at('created_at').notNull() },
  (table) => [
    primaryKey({ columns: [table.commentId, table.userId] }),
    index('comment_likes_user').on(table.userId, table.createdAt),
  ],
)

/** Grows with each change of a row of counts, so that pages keep the later of two; without a row it is 0. */
const version = () => integer('version').notNull().default(1)

/**
 * Maintained by triggers on the counted rows (decision 024); without a row the number is 0. Comments: with replies,
 * without deleted ones.
 */
export const postCounts = pgTable('post_counts', {
  postId: post().primaryKey(),
  likes: integer('likes').notNull().default(0),
  comments: integer('comments').notNull().default(0),
  version: version(),
})

/** Maintained by triggers too. Replies: without deleted ones. */
export const commentCounts = pgTable('comment_counts', {
  commentId: comment().primaryKey(),
  likes: integer('likes').notNull().default(0),
  replies: integer('replies').notNull().default(0),
  version: version(),
})

/** The last sequence number of each device and subject; the table keeps its first name. */
export const sequenceNumbers = pgTable(
  'act_numbers',
  {
    userId: person('user_id'),
    /** `aboutOf` of contract/mutations/mutations.ts. */
    about: text('about').notNull(),
    source: uuid('source').notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    at: at('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.about, table.source] }),
    index('act_numbers_at').on(table.at),
  ],
)
