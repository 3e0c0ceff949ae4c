// Tables of account details, settings of people and of the operator, blocks, and servers.
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { settingNames } from '#contract/administration/runtime-names.ts'
import type { SettingValue } from '#contract/administration/runtime-settings.ts'
import { MAX_ACCOUNT_NAME, MAX_NAME } from '#contract/limits.ts'
import { MAX_BLOCKED_WORD, MAX_FOLDED_WORD, MAX_WORD_NOTE } from '#contract/moderation/hold-names.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Details that only the person and reviewers of identity checks see. */
export const userDetails = pgTable(
  'user_details',
  {
    userId: owner().primaryKey(),
    legalName: text('legal_name').notNull().default(''),
    /** Full-width katakana, by the accountNameCard rule. */
    legalNameKana: text('legal_name_kana').notNull().default(''),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [
    sized('user_details_legal_name_size', table.legalName, bytesFor(MAX_NAME)),
    sized('user_details_legal_name_kana_size', table.legalNameKana, MAX_ACCOUNT_NAME * 3),
  ],
)

export const userSettings = pgTable('user_settings', {
  userId: owner().primaryKey(),
  /** Who may send a message. */
  messageFrom: text('message_from', { enum: ['everyone', 'following', 'plan_members', 'nobody'] }).notNull(),
  /** Whether others see what the person has received and read of their messages. */
  sendsReadMarks: boolean('sends_read_marks').notNull().default(true),
  /** Whether a push of a message shows its text. */
  showsMessageText: boolean('shows_message_text').notNull().default(true),
  showsAgeLimited: boolean('shows_age_limited').notNull(),
  showsShareCard: boolean('shows_share_card').notNull().default(true),
  /** Whether people of open conversations who chose the same see when the person last had the app open. */
  showsPresence: boolean('shows_presence').notNull().default(false),
  /** When a page of the person was last connected, to five minutes; null unless `shows_presence`. */
  seenAt: at('seen_at'),
  updatedAt: at('updated_at').notNull(),
})

/** The channels of one kind of notification; without a row the defaults of `server/store/accounts/settings.ts`. */
export const notificationSettings = pgTable(
  'notification_settings',
  {
    userId: owner(),
    settingCd: text('setting_cd').notNull(),
    inApp: boolean('in_app').notNull(),
    push: boolean('push').notNull(),
    mail: boolean('mail').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.settingCd] })],
)

export const blocks = pgTable(
  'blocks',
  {
    blockerId: uuid('blocker_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    blockedId: uuid('blocked_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_blocked').on(table.blockedId),
    index('blocks_newest').on(table.blockerId, table.createdAt),
  ],
)

/** Words that hold posts and comments for a review: of one person, or of the operator. */
export const blockedWords = pgTable(
  'blocked_words',
  {
    id: uuid('id').primaryKey(),
    /** Whose word it is; null for a word of the operator. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    word: text('word').notNull(),
    /** The word as search folds it (contract/text/fold.ts). */
    folded: text('folded').notNull(),
    /** Why staff added it; '' for a word of a person. */
    note: text('note').notNull().default(''),
    addedBy: uuid('added_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('blocked_words_once').on(table.ownerId, table.folded),
    uniqueIndex('blocked_words_operator')
      .on(table.folded)
      .where(sql`owner_id is null`),
    index('blocked_words_added_by').on(table.addedBy),
    sized('blocked_words_word_size', table.word, bytesFor(MAX_BLOCKED_WORD)),
    sized('blocked_words_folded_size', table.folded, MAX_FOLDED_WORD * 4),
    sized('blocked_words_note_size', table.note, bytesFor(MAX_WORD_NOTE)),
  ],
)

/** Settings that admins have changed at runtime; without a row the default applies. */
export const runtimeSettings = pgTable('runtime_settings', {
  name: text('name', { enum: settingNames }).primaryKey(),
  value: jsonb('value').$type<NonNullable<SettingValue>>().notNull(),
})

/** Every change of a setting at runtime; triggers refuse changes of its rows. A null value is the default. */
export const runtimeSettingChanges = pgTable(
  'runtime_setting_changes',
  {
    id: uuid('id').primaryKey(),
    name: text('name', { enum: settingNames }).notNull(),
    from: jsonb('from_value').$type<SettingValue>(),
    to: jsonb('to_value').$type<SettingValue>(),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => users.id),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [
    index('runtime_setting_changes_newest').on(table.changedAt, table.id),
    index('runtime_setting_changes_actor').on(table.actorId),
  ],
)

/** What each server process last measured of itself; rows are removed after some minutes. */
export const serverReports = pgTable('server_reports', {
  id: uuid('id').primaryKey(),
  measuredAt: at('measured_at').notNull(),
  figures: jsonb('figures').$type<object>().notNull(),
})

/** The keys that every server of this database must have, by name. */
export const serverKeys = pgTable(
  'server_keys',
  {
    name: text('name', { enum: ['master', 'vapid'] }).primaryKey(),
    /** Of the key that the last started server uses; 16 hexadecimal digits that do not tell it. */
    fingerprint: text('fingerprint').notNull(),
  },
  (table) => [
    sized('server_keys_name_size', table.name, 16),
    sized('server_keys_fingerprint_size', table.fingerprint, 16),
  ],
)
