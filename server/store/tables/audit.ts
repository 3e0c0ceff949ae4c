// Tables of the audit log, of exports for an authority, and of derived keys.
import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { sized } from './text-size.ts'

/**
 * What admins did and read. The indexes of all entries, of single filters and of pairs of filters differ in where their order has nulls,
 * of which there are none: with the same order, PostgreSQL may read the whole log, or half of it, for a pair of filters that almost no
 * entry fits. The last column of an index is a further filter, which PostgreSQL examines in the index, without reading the rows.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    actorId: uuid('actor_id').notNull(),
    act: text('act').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: uuid('subject_id').notNull(),
    detail: jsonb('detail').$type<object>().notNull(),
    ip: text('ip').notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
    /** Its number in the chain, without gaps. Null only until the first start after the migration. */
    seq: bigint('seq', { mode: 'number' }),
    /** HMAC of the entry and of the one before it (`server/rules/audit/chain.ts`). */
    hash: text('hash'),
  },
  (table) => {
    const at = () => table.at.desc().nullsLast()
    const seq = () => table.seq.desc().nullsLast()
    const pairSeq = () => table.seq.desc().nullsFirst()
    return [
      uniqueIndex('audit_log_seq').on(table.seq),
      index('audit_log_at').on(table.at, table.seq),
      index('audit_log_actor').on(table.actorId, at(), seq(), table.subjectId),
      index('audit_log_actor_act').on(table.actorId, table.act, at(), pairSeq(), table.subjectId),
      index('audit_log_act').on(table.act, at(), seq()),
      index('audit_log_subject').on(table.subjectId, at(), seq(), table.actorId),
      index('audit_log_subject_act').on(table.subjectId, table.act, at(), pairSeq(), table.actorId),
    ]
  },
)

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Exports of a person's data for an authority, each for the admin who requested it. */
export const authorityExports = pgTable(
  'authority_exports',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The admin who requested it; no other person can download it. */
    madeBy: uuid('made_by')
      .notNull()
      .references(() => users.id),
    /** As the authority wrote it. */
    caseNumber: text('case_number').notNull(),
    /** The first moment, and the one after the last. */
    from: moment('from_at').notNull(),
    to: moment('to_at').notNull(),
    state: text('state', { enum: ['waiting', 'ready', 'failed', 'expired'] }).notNull(),
    /** The zip, encrypted for this export; '' before and after. */
    sealed: text('sealed').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
  },
  (table) => [
    index('authority_exports_user').on(table.userId, table.madeBy, table.createdAt),
    index('authority_exports_made_by').on(table.madeBy),
    index('authority_exports_expiry').on(table.expiresAt),
    sized('authority_exports_case_size', table.caseNumber, 400),
    sized('authority_exports_sealed_size', table.sealed, 200_000_000),
  ],
)

/** Derived keys of earlier master keys, which verify MACs that are stored for years. */
export const retainedKeys = pgTable(
  'retained_keys',
  {
    /** Of the master key. */
    fingerprint: text('fingerprint').notNull(),
    purpose: text('purpose').notNull(),
    /** The derived key, encrypted by the present master key for its fingerprint and purpose. */
    sealed: text('sealed').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fingerprint, table.purpose] }),
    sized('retained_keys_fingerprint_size', table.fingerprint, 16),
    sized('retained_keys_purpose_size', table.purpose, 40),
    sized('retained_keys_sealed_size', table.sealed, 200),
  ],
)
