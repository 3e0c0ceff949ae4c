// Tables of second factors, their recovery codes, and recoveries of sign-in by staff.
import { bigint, index, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { recoveryProofs } from '#contract/administration/person-acts.ts'
import { users } from './people.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** One-time codes of an authenticator app (TOTP) beside the password. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The shared secret, encrypted for this person. */
  sealed: text('sealed').notNull(),
  createdAt: at('created_at').notNull(),
  /** When a code proved that the app has the secret; it is asked for from then on. */
  confirmedAt: at('confirmed_at'),
  /** The step of the last accepted code: no code of it or of an earlier step is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

/** Recovery codes that were not used yet. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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
