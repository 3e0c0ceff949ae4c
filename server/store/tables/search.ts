// Tables of the search index for posts and people, and of recently searched words.
import {
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_QUERY } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { messages } from './messages.ts'
import { users } from './people.ts'
import { posts } from './posts.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
/** `FOLDING` of the version that made an entry; a trigger sets 1 when an entry is changed by a version without the column. */
const folding = () => smallint('folding').notNull().default(1)
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Index entries of released posts. They repeat `released_at`, so that one index has the order of the results. */
export const postSearch = pgTable(
  'post_search',
  {
    postId: uuid('post_id')
      .primaryKey()
      .references(() => posts.id, { onDelete: 'cascade' }),
    releasedAt: at('released_at').notNull(),
    grams: tsvector('grams').notNull(),
    folded: text('folded').notNull(),
    /** As both, of the open title and introduction alone: they are found by people who may not read the text. */
    openGrams: tsvector('open_grams'),
    openFolded: text('open_folded'),
    folding: folding(),
  },
  (table) => [
    // Rarely written, often read: with fastupdate every search would also scan the list of pending entries.
    index('post_search_grams').using('gin', table.grams).with({ fastupdate: false }),
    index('post_search_folding').on(table.folding, table.postId),
    index('post_search_newest').on(table.releasedAt, table.postId),
  ],
)

export const personSearch = pgTable(
  'person_search',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Folded; the handle needs no folding. */
    name: text('name').notNull(),
    grams: tsvector('grams').notNull(),
    /** Name, handle and biography. */
    folded: text('folded').notNull(),
    folding: folding(),
  },
  (table) => [
    index('person_search_folding').on(table.folding, table.userId),
    index('person_search_grams').using('gin', table.grams).with({ fastupdate: false }),
    // For names that begin with a text: finds them in any collation of the database.
    index('person_search_name').on(table.name.op('text_pattern_ops')),
  ],
)

/** Searches of recent days, to find the words that many people search for. */
export const searchedWords = pgTable(
  'searched_words',
  {
    /** Folded. */
    word: text('word').notNull(),
    /** A keyed hash of person and word: it distinguishes two searchers of a word, and links no two words. */
    searcher: text('searcher').notNull(),
    /** As it was written. */
    written: text('written').notNull(),
    searchedAt: at('searched_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.word, table.searcher] }),
    index('searched_words_age').on(table.searchedAt),
    sized('searched_words_written_size', table.written, bytesFor(MAX_QUERY)),
  ],
)

/**
 * Index entries of messages, one for each person who sees the message: it is removed with what the person deletes. `grams` has
 * lexemes of the person, the conversation, the writer and the parts besides those of the text, so that the index intersects the
 * words with what a search is limited to.
 */
export const messageSearch = pgTable(
  'message_search',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    messageId: uuid('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    conversationId: uuid('conversation_id').notNull(),
    seq: integer('seq').notNull(),
    sentAt: at('sent_at').notNull(),
    grams: tsvector('grams').notNull(),
    folded: text('folded').notNull(),
    folding: folding(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.messageId] }),
    index('message_search_grams').using('gin', table.grams).with({ fastupdate: false }),
    index('message_search_newest').on(table.userId, table.sentAt, table.messageId),
    index('message_search_conversation').on(
      table.userId,
      table.conversationId,
      table.sentAt,
      table.messageId,
    ),
    index('message_search_message').on(table.messageId),
    index('message_search_folding').on(table.folding, table.messageId),
  ],
)
