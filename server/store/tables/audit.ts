// Table of the audit log. Triggers refuse to change and to delete its rows.
import { bigint, index, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

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
