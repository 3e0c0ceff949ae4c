// Tables of the audit log, exports for an authority, derived keys, and inquiries.
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  inquiryActs,
  inquiryKinds,
  inquiryOutcomes,
  inquiryStates,
  MAX_INQUIRY_TEXT,
  opinions,
} from '#contract/inquiries/states.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { decisions, reports } from './moderation.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

/**
 * What admins did and read. Triggers refuse changes. The indexes of all entries, of single filters and of pairs of filters differ in where their order has nulls,
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

const person = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

/** What is sent at /contact: messages to the operator, and claims about content. */
export const inquiries = pgTable(
  'inquiries',
  {
    id: uuid('id').primaryKey(),
    number: integer('number').generatedAlwaysAsIdentity().notNull(),
    kind: text('kind', { enum: inquiryKinds }).notNull(),
    state: text('state', { enum: inquiryStates }).notNull(),
    outcome: text('outcome', { enum: inquiryOutcomes }),
    /** What the sender wrote, with name and address, encrypted for its id; null once it is erased. */
    sealed: text('sealed'),
    /** Null for a visitor, and when the account is gone. */
    senderId: person('sender_id'),
    targetKind: text('target_kind', { enum: ['post', 'comment', 'person', 'message'] }),
    targetId: uuid('target_id'),
    ownerId: person('owner_id'),
    mayTellName: boolean('may_tell_name').notNull(),
    /** The report by which it is in the case of the content. */
    reportId: uuid('report_id').references(() => reports.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    receivedAt: moment('received_at'),
    dueAt: moment('due_at'),
    takenBy: person('taken_by'),
    takenUntil: moment('taken_until'),
    opinion: text('opinion', { enum: opinions }),
    opinionDueAt: moment('opinion_due_at'),
    decidedAt: moment('decided_at'),
    /** The decision of the case that a measure for it made. */
    decisionId: uuid('decision_id').references(() => decisions.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('inquiries_due').on(table.state, table.dueAt, table.id),
    index('inquiries_decided').on(table.state, table.decidedAt, table.id),
    index('inquiries_created').on(table.state, table.createdAt),
    index('inquiries_sender').on(table.senderId),
    index('inquiries_owner').on(table.ownerId),
    index('inquiries_report').on(table.reportId),
    index('inquiries_decision').on(table.decisionId),
    sized('inquiries_sealed_size', table.sealed, bytesFor(3 * MAX_INQUIRY_TEXT) * 3),
  ],
)

/** What happened to an inquiry, in order. */
export const inquiryEvents = pgTable(
  'inquiry_events',
  {
    id: uuid('id').primaryKey(),
    inquiryId: uuid('inquiry_id')
      .notNull()
      .references(() => inquiries.id, { onDelete: 'cascade' }),
    act: text('act', { enum: inquiryActs }).notNull(),
    at: moment('at').notNull(),
    /** Null for acts of the sender, of the author and of the server. */
    staffId: person('staff_id'),
    /** What was written, encrypted for its id; null for none. */
    sealed: text('sealed'),
  },
  (table) => [
    index('inquiry_events_inquiry').on(table.inquiryId, table.at, table.id),
    sized('inquiry_events_sealed_size', table.sealed, bytesFor(MAX_INQUIRY_TEXT) * 3),
  ],
)
