// Tables of reports, cases, decisions, measures, appeals, holds, and templates of texts.
import { sql } from 'drizzle-orm'
import {
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
import { MAX_MESSAGE } from '#contract/limits.ts'
import { caseStates } from '#contract/moderation/case-states.ts'
import { holdReasons, holdStates, MAX_BLOCKED_WORD, reviewers } from '#contract/moderation/hold-names.ts'
import {
  MAX_APPEAL_TEXT,
  MAX_CASE_NOTE,
  MAX_DECISION_TEXT,
  MAX_TEMPLATE_NAME,
  measureKinds,
  templateUses,
} from '#contract/moderation/measures.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { blockedWords } from './settings.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const targetKind = () => text('target_kind', { enum: ['post', 'comment', 'person', 'message'] }).notNull()
const staff = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

/** One for each reported thing: later reports open the same case again. */
export const cases = pgTable(
  'cases',
  {
    id: uuid('id').primaryKey(),
    targetKind: targetKind(),
    targetId: uuid('target_id').notNull(),
    /** The author, or the reported person; null when the account is gone. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    state: text('state', { enum: caseStates }).notNull(),
    /** Undecided reports. */
    reports: integer('reports').notNull(),
    /** The oldest undecided report, the appeal, or the last decision: the order of lists. */
    since: at('since').notNull(),
    takenBy: staff('taken_by'),
    /** Until when it is locked for others. */
    takenUntil: at('taken_until'),
  },
  (table) => [
    uniqueIndex('cases_target').on(table.targetKind, table.targetId),
    index('cases_age').on(table.state, table.since, table.id),
    index('cases_kind_age').on(table.state, table.targetKind, table.since, table.id),
    index('cases_weight').on(table.state, sql`(-${table.reports})`, table.since, table.id),
    index('cases_kind_weight').on(
      table.state,
      table.targetKind,
      sql`(-${table.reports})`,
      table.since,
      table.id,
    ),
    index('cases_owner').on(table.ownerId),
  ],
)

/** Decisions of cases. Their person reads and appeals those with measures. */
export const decisions = pgTable(
  'decisions',
  {
    id: uuid('id').primaryKey(),
    caseId: uuid('case_id')
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    /** The owner of the case at that time; null when the account is gone. */
    personId: uuid('person_id').references(() => users.id, { onDelete: 'set null' }),
    outcome: text('outcome', { enum: ['acted', 'dismissed'] }).notNull(),
    /** The reason of a report that was right; null for a dismissal. */
    rule: text('rule'),
    textToPerson: text('text_to_person').notNull(),
    textToReporters: text('text_to_reporters').notNull(),
    /** Beginning of the content as it was; '' for messages and people. */
    excerpt: text('excerpt').notNull(),
    /** For other staff alone; '' for nothing. */
    note: text('note').notNull().default(''),
    decidedBy: staff('decided_by'),
    decidedAt: at('decided_at').notNull(),
    undoneBy: staff('undone_by'),
    undoneAt: at('undone_at'),
  },
  (table) => [
    index('decisions_case').on(table.caseId, table.decidedAt),
    index('decisions_person').on(table.personId, table.decidedAt, table.id),
    sized('decisions_text_to_person_size', table.textToPerson, bytesFor(MAX_DECISION_TEXT)),
    sized('decisions_text_to_reporters_size', table.textToReporters, bytesFor(MAX_DECISION_TEXT)),
    sized('decisions_excerpt_size', table.excerpt, 2000),
    sized('decisions_note_size', table.note, bytesFor(MAX_CASE_NOTE)),
  ],
)

export const measures = pgTable(
  'measures',
  {
    id: uuid('id').primaryKey(),
    decisionId: uuid('decision_id')
      .notNull()
      .references(() => decisions.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: measureKinds }).notNull(),
    targetKind: targetKind(),
    /** The content of a measure about content, else the person. */
    targetId: uuid('target_id').notNull(),
    beganAt: at('began_at').notNull(),
    /** When it ends by itself; null without an end. */
    until: at('until'),
    /** When it ended: undone, or over. */
    endedAt: at('ended_at'),
    /** `age_limit`: whether the post had no limit before. */
    changed: boolean('changed').notNull().default(true),
    /** When removed content was deleted for good, so that it cannot come back. */
    finalAt: at('final_at'),
  },
  (table) => [
    index('measures_decision').on(table.decisionId),
    index('measures_target').on(table.targetKind, table.targetId),
    index('measures_until')
      .on(table.until)
      .where(sql`ended_at is null and until is not null`),
  ],
)

/** One for each decision. */
export const appeals = pgTable(
  'appeals',
  {
    decisionId: uuid('decision_id')
      .primaryKey()
      .references(() => decisions.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    sentAt: at('sent_at').notNull(),
    state: text('state', { enum: ['open', 'upheld', 'granted'] })
      .notNull()
      .default('open'),
    answer: text('answer').notNull().default(''),
    answeredBy: staff('answered_by'),
    answeredAt: at('answered_at'),
  },
  (table) => [
    sized('appeals_text_size', table.text, bytesFor(MAX_APPEAL_TEXT)),
    sized('appeals_answer_size', table.answer, bytesFor(MAX_DECISION_TEXT)),
  ],
)

/** Posts and comments that a rule of the server holds for a review, and how each review ended. */
export const holds = pgTable(
  'holds',
  {
    id: uuid('id').primaryKey(),
    targetKind: text('target_kind', { enum: ['post', 'comment'] }).notNull(),
    targetId: uuid('target_id').notNull(),
    /** The author; null when the account is gone. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    reviewer: text('reviewer', { enum: reviewers }).notNull(),
    /** The author of the post, of a comment that this person reviews; null where staff do. */
    creatorId: uuid('creator_id').references(() => users.id, { onDelete: 'cascade' }),
    reason: text('reason', { enum: holdReasons }).notNull(),
    /** The word as its list had it, for `word`; otherwise ''. */
    word: text('word').notNull(),
    wordId: uuid('word_id').references(() => blockedWords.id, { onDelete: 'set null' }),
    /** Different bits of the two hashes, for `media`: 0 for the same file. */
    distance: integer('distance'),
    state: text('state', { enum: holdStates }).notNull(),
    createdAt: at('created_at').notNull(),
    endedAt: at('ended_at'),
    /** When a post was first released, if that was before the hold. */
    releasedAt: at('released_at'),
  },
  (table) => [
    uniqueIndex('holds_open')
      .on(table.targetKind, table.targetId)
      .where(sql`state = 'open'`),
    index('holds_target').on(table.targetKind, table.targetId, table.createdAt),
    index('holds_owner').on(table.ownerId, table.createdAt, table.id),
    index('holds_word').on(table.wordId),
    index('holds_creator').on(table.creatorId, table.state, table.createdAt, table.id),
    sized('holds_word_size', table.word, bytesFor(MAX_BLOCKED_WORD)),
  ],
)

/** Texts that staff reuse. */
export const decisionTemplates = pgTable(
  'decision_templates',
  {
    id: uuid('id').primaryKey(),
    use: text('use', { enum: templateUses }).notNull(),
    name: text('name').notNull(),
    text: text('text').notNull(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [
    index('decision_templates_name').on(table.name, table.id),
    sized('decision_templates_name_size', table.name, bytesFor(MAX_TEMPLATE_NAME)),
    sized('decision_templates_text_size', table.text, bytesFor(MAX_DECISION_TEXT)),
  ],
)

export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey(),
    /** Null when the reporter's account is gone. */
    reporterId: uuid('reporter_id').references(() => users.id, { onDelete: 'set null' }),
    targetKind: text('target_kind', { enum: ['post', 'comment', 'person', 'message'] }).notNull(),
    targetId: uuid('target_id').notNull(),
    /** The author of the reported content, or the reported person. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    reason: text('reason').notNull(),
    /** The reporter's text; '' without one. */
    detail: text('detail').notNull().default(''),
    /** A copy of the reported texts, which later edits do not change. */
    quoted: jsonb('quoted').$type<Readonly<Record<string, string>>>().notNull(),
    caseId: uuid('case_id')
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    /** `acted`: something was wrong, and a measure was taken. */
    state: text('state', { enum: ['open', 'acted', 'dismissed'] })
      .notNull()
      .default('open'),
    createdAt: at('created_at').notNull(),
    decidedAt: at('decided_at'),
    /** What the reporter reads of the decision; '' while the report is open. */
    answer: text('answer').notNull().default(''),
  },
  (table) => [
    uniqueIndex('reports_once').on(table.reporterId, table.targetKind, table.targetId),
    index('reports_case').on(table.caseId, table.createdAt),
    index('reports_owner').on(table.ownerId),
    sized('reports_answer_size', table.answer, bytesFor(MAX_DECISION_TEXT)),
  ],
)

/** Copies of a reported message and of those around it, each encrypted for its place in its report. */
export const reportedMessages = pgTable(
  'reported_messages',
  {
    reportId: uuid('report_id')
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    /** Place in the conversation. */
    seq: integer('seq').notNull(),
    senderId: uuid('sender_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Text and time of the message, encrypted. */
    sealed: text('sealed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reportId, table.seq] }),
    index('reported_messages_sender').on(table.senderId),
    // JSON may write a line break as two bytes, and base64url three bytes as four.
    sized('reported_messages_sealed_size', table.sealed, bytesFor(MAX_MESSAGE) * 3),
  ],
)
