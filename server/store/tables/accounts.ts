// Tables of registrations, codes, queued emails, passkeys, second factors, deletions and exports.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
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
import { recoveryProofs } from '#contract/administration/person-acts.ts'
import { MAX_LEAVING_NOTE } from '#contract/accounts/leaving.ts'
import { MAX_EMAIL, MAX_NAME } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Invitations, with which people register while registration is by invitation. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    /** As people type it. It opens nothing that exists, so that it is stored as it is and shown to admins again. */
    code: text('code').notNull(),
    uses: integer('uses').notNull(),
    used: integer('used').notNull().default(0),
    until: at('until_at').notNull(),
    madeAt: at('made_at').notNull(),
    revokedAt: at('revoked_at'),
  },
  (table) => [
    uniqueIndex('invitations_code').on(table.code),
    index('invitations_newest').on(table.madeAt, table.id),
    check('invitations_used', sql`${table.used} between 0 and ${table.uses}`),
  ],
)

/** Registrations without a confirmed address. An address may have more than one. */
export const registrations = pgTable(
  'registrations',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    birthDate: date('birth_date', { mode: 'string' }).notNull(),
    /** SHA-256 of the secret in the email's link. */
    tokenHash: text('token_hash').notNull(),
    /** SHA-256 of the registering device's secret: on that device the link needs no password. */
    claimHash: text('claim_hash').notNull(),
    /** The invitation that it was made with; its use is counted when the account is created. */
    invitationId: uuid('invitation_id').references(() => invitations.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('registrations_token').on(table.tokenHash),
    index('registrations_email').on(table.email),
    index('registrations_expiry').on(table.expiresAt),
    index('registrations_invitation').on(table.invitationId),
    sized('registrations_name_size', table.name, bytesFor(MAX_NAME)),
    sized('registrations_email_size', table.email, MAX_EMAIL),
  ],
)

/**
 * Codes sent by email. A code of a reset belongs to its request; of the codes for a change of address only the newest
 * is valid.
 */
export const mailCodes = pgTable(
  'mail_codes',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    purpose: text('purpose', { enum: ['reset', 'change_email'] }).notNull(),
    /** The address it was sent to. */
    email: text('email').notNull(),
    /** Keyed hash of the code: from a plain hash six digits would be found by trial. */
    codeHash: text('code_hash').notNull(),
    /** SHA-256 of the id of the reset request, which only the requesting device has; null for other purposes. */
    requestHash: text('request_hash'),
    /** Whether the request came from a remembered device or by the link of an earlier email. */
    asked: boolean('asked').notNull().default(true),
    /** Tries; after five wrong ones the code is invalid. */
    attempts: integer('attempts').notNull().default(0),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When the right code was entered. */
    verifiedAt: at('verified_at'),
    /** When the change that it permits was made; it permits no other. */
    usedAt: at('used_at'),
  },
  (table) => [
    index('mail_codes_user').on(table.userId, table.purpose, table.createdAt),
    index('mail_codes_expiry').on(table.expiresAt),
    sized('mail_codes_email_size', table.email, MAX_EMAIL),
    uniqueIndex('mail_codes_request').on(table.requestHash),
  ],
)

/** People who refuse reset codes that they did not request, until a moment. */
export const resetRefusals = pgTable(
  'reset_refusals',
  { userId: owner().primaryKey(), until: at('until').notNull() },
  (table) => [index('reset_refusals_until').on(table.until)],
)

/** Queued emails; an email that the relay accepted is removed. */
export const emails = pgTable(
  'letters',
  {
    id: uuid('id').primaryKey(),
    /** Recipient and email, sealed, since emails have codes. */
    sealed: text('sealed').notNull(),
    /** The notice of the operator that it is about, so that withdrawing the notice removes it. */
    noticeId: uuid('notice_id'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('letters_created').on(table.createdAt),
    index('letters_notice')
      .on(table.noticeId)
      .where(sql`notice_id is not null`),
  ],
)

export const passkeys = pgTable(
  'passkeys',
  {
    /** Credential id, base64url. */
    id: text('id').primaryKey(),
    userId: owner(),
    /** COSE public key, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    backedUp: boolean('backed_up').notNull(),
    name: text('name').notNull(),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

/** WebAuthn challenges that were issued; each is used once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    id: uuid('id').primaryKey(),
    /** Null without a signed-in person. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    challenge: text('challenge').notNull(),
    purpose: text('purpose', { enum: ['add', 'sign_in', 'validate'] }).notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [index('passkey_challenges_expiry').on(table.expiresAt)],
)

/** Deletions of leaving accounts, which can be cancelled for seven days. */
export const deletions = pgTable(
  'deletions',
  {
    userId: owner().primaryKey(),
    reason: text('reason').notNull(),
    note: text('note').notNull().default(''),
    requestedAt: at('requested_at').notNull(),
    dueAt: at('due_at').notNull(),
    /** SHA-256 of the secret in the email's undo link. */
    undoHash: text('undo_hash').notNull(),
  },
  (table) => [
    index('deletions_due').on(table.dueAt),
    uniqueIndex('deletions_undo').on(table.undoHash),
    sized('deletions_note_size', table.note, bytesFor(MAX_LEAVING_NOTE)),
  ],
)

/** Zips of a person's own data. */
export const dataExports = pgTable(
  'data_exports',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    state: text('state', { enum: ['waiting', 'ready', 'failed', 'expired'] }).notNull(),
    /** SHA-256 of the secret in the email's link; null until the zip is ready. */
    tokenHash: text('token_hash'),
    /** Bytes of the zip. */
    length: bigint('length', { mode: 'number' }),
    createdAt: at('created_at').notNull(),
    readyAt: at('ready_at'),
    expiresAt: at('expires_at'),
  },
  (table) => [
    index('data_exports_user').on(table.userId, table.createdAt),
    uniqueIndex('data_exports_token').on(table.tokenHash),
    index('data_exports_expiry').on(table.expiresAt),
  ],
)

/** One-time codes of an authenticator app (TOTP) beside the password. */
export const secondFactors = pgTable('second_factors', {
  userId: owner().primaryKey(),
  /** The shared secret, encrypted for this person. */
  sealed: text('sealed').notNull(),
  createdAt: at('created_at').notNull(),
  /** When a code proved that the app has the secret; it is required from then on. */
  confirmedAt: at('confirmed_at'),
  /** The step of the last accepted code: no code of it or of an earlier step is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

/** Recovery codes that were not used yet. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: owner(),
    /** Keyed hash of the code and its person. */
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** Recoveries of people who cannot sign in, begun by staff. Of those that are under way a person has at most one. */
export const accountRecoveries = pgTable(
  'account_recoveries',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    begunBy: uuid('begun_by')
      .notNull()
      .references(() => users.id),
    proof: text('proof', { enum: recoveryProofs }).notNull(),
    /** SHA-256 of the secret in the email's link. */
    tokenHash: text('token_hash').notNull(),
    /** SHA-256 of the secret in the link that stops it. */
    stopHash: text('stop_hash'),
    createdAt: at('created_at').notNull(),
    /** The link is valid until then. */
    expiresAt: at('expires_at').notNull(),
    /** When the link was used, and when passkeys and second factor are removed. */
    confirmedAt: at('confirmed_at'),
    dueAt: at('due_at'),
    stoppedAt: at('stopped_at'),
    doneAt: at('done_at'),
  },
  (table) => [
    index('account_recoveries_user').on(table.userId, table.createdAt),
    index('account_recoveries_begun_by').on(table.begunBy),
    index('account_recoveries_due').on(table.dueAt),
    uniqueIndex('account_recoveries_token').on(table.tokenHash),
    uniqueIndex('account_recoveries_stop').on(table.stopHash),
  ],
)
