// Tables of identity checks: requested gestures, checks, and encrypted files.
import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The random gestures requested of a person; used once. */
export const identityPrompts = pgTable(
  'identity_prompts',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    prompts: jsonb('prompts').$type<string[]>().notNull(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [
    index('identity_prompts_user').on(table.userId),
    index('identity_prompts_expiry').on(table.expiresAt),
  ],
)

export const identityChecks = pgTable(
  'identity_checks',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client's Idempotency-Key. */
    idempotencyKey: uuid('idempotency_key').notNull(),
    state: text('state', { enum: ['submitted', 'in_review', 'approved', 'rejected'] }).notNull(),
    documentKind: text('document_kind').notNull(),
    prompts: jsonb('prompts').$type<string[]>().notNull(),
    submittedAt: at('submitted_at').notNull(),
    reviewStartedAt: at('review_started_at'),
    decidedAt: at('decided_at'),
    /** The admin who last began to review it; stays when that account is deleted. */
    reviewerId: uuid('reviewer_id'),
    /** Why it was rejected: a code of the contract. */
    reason: text('reason'),
    /** The reviewer's note to the person. */
    note: text('note').notNull().default(''),
  },
  (table) => [
    uniqueIndex('identity_checks_key').on(table.userId, table.idempotencyKey),
    uniqueIndex('identity_checks_open')
      .on(table.userId)
      .where(sql`state in ('submitted', 'in_review')`),
    index('identity_checks_state').on(table.state, table.submittedAt),
  ],
)

/** Encrypted files of a check, separate from media. */
export const identityFiles = pgTable(
  'identity_files',
  {
    /** The same id as its upload had. */
    id: uuid('id').primaryKey(),
    checkId: uuid('check_id')
      .notNull()
      .references(() => identityChecks.id, { onDelete: 'cascade' }),
    part: text('part', { enum: ['front', 'back', 'live'] }).notNull(),
    mime: text('mime').notNull(),
    /** Bytes before sealing. */
    length: bigint('length', { mode: 'number' }).notNull(),
    /** The file's own key, sealed by the server's. */
    sealedKey: text('sealed_key').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [uniqueIndex('identity_files_part').on(table.checkId, table.part)],
)
