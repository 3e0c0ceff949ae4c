// Tables of people and their sessions.
import { date, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    birthDate: date('birth_date', { mode: 'string' }).notNull(),
    bio: text('bio').notNull().default(''),
    /** Checked on the server at every admin call; no endpoint sets it. */
    role: text('role', { enum: ['member', 'admin'] })
      .notNull()
      .default('member'),
    /** When an identity check was approved; null for everyone else. */
    identifiedAt: at('identified_at'),
    createdAt: at('created_at').notNull(),
    /** Set when the account is gone and the row stays for what others own (a purchase, an audit entry). */
    deletedAt: at('deleted_at'),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** What a session is called towards its owner; useless without the token. */
    id: uuid('id').notNull().defaultRandom(),
    /** SHA-256 of the token, base64url: the token itself is never stored. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    method: text('method', { enum: ['password', 'passkey', 'registration'] })
      .notNull()
      .default('password'),
    /** User-Agent at sign-in, cut to 400 characters. */
    device: text('device').notNull().default(''),
    /** Where it was last used from. */
    ip: text('ip').notNull().default(''),
    /** Country and city in Japanese, where the operator has a place database. */
    place: text('place'),
    /** When the person last proved who they are in this session. */
    validatedAt: at('validated_at'),
    /** When the token was last exchanged for a new one. */
    rotatedAt: at('rotated_at'),
    /** Hash of the token given out last and not used yet; the first use makes it the session's own. */
    nextHash: text('next_hash'),
    /** Hash of the token before this one: requests in flight may still carry it for a moment. */
    previousHash: text('previous_hash'),
    /** The password reset under way in this session (specification section 2). */
    resetId: uuid('reset_id'),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
    uniqueIndex('sessions_id').on(table.id),
    index('sessions_next').on(table.nextHash),
    index('sessions_previous').on(table.previousHash),
  ],
)
