// Tables of accounts, sessions, follows and mutes.
import {
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
import { sql } from 'drizzle-orm'
import { roleNames } from '#contract/administration/role-names.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    birthDate: date('birth_date', { mode: 'string' }).notNull(),
    /** The name in mentions (`@handle`), lower case; null until chosen. */
    handle: text('handle'),
    bio: text('bio').notNull().default(''),
    /** Links shown on the profile, https only. */
    links: jsonb('links').$type<readonly string[]>().notNull().default([]),
    /** Checked on the server at every admin call; no endpoint sets it. */
    role: text('role', { enum: roleNames }).notNull().default('member'),
    /** When an identity check was approved; null without one. */
    identifiedAt: at('identified_at'),
    createdAt: at('created_at').notNull(),
    /** Set while an admin has suspended the account: others see neither the person nor their content. */
    suspendedAt: at('suspended_at'),
    /** Set while staff has limited the account: searches, suggestions and new posts leave the person out. */
    limitedAt: at('limited_at'),
    /** Set when the account is deleted; the row stays for rows of others (a purchase, an audit entry). */
    deletedAt: at('deleted_at'),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    uniqueIndex('users_handle').on(table.handle),
    index('users_created').on(table.createdAt),
    index('users_staff')
      .on(table.role)
      .where(sql`${table.role} <> 'member'`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    /** Names the session to its owner; gives no access without the token. */
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
    /** Address of its last request. */
    ip: text('ip').notNull().default(''),
    /** Country and city in Japanese, where the operator has a place database. */
    place: text('place'),
    /** When the person last proved who they are in this session. */
    validatedAt: at('validated_at'),
    /** When a passkey last opened or validated this session; null for never. */
    passkeyAt: at('passkey_at'),
    /** When the token was last exchanged for a new one. */
    rotatedAt: at('rotated_at'),
    /** Hash of a new token that was issued but not used yet; its first use makes it the current one. */
    nextHash: text('next_hash'),
    /** Hash of the previous token, which requests in flight may still send. */
    previousHash: text('previous_hash'),
    /** The password reset under way in this session (specification section 2). */
    resetId: uuid('reset_id'),
    /** Id in the device cookie of the browser that used the current token first; null without a cookie. */
    deviceId: uuid('device_id'),
    /** The build of the app that its page last named (`contract/notices/admin-notices.ts`); null before the first. */
    build: text('build'),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
    uniqueIndex('sessions_id').on(table.id),
    index('sessions_next').on(table.nextHash),
    index('sessions_previous').on(table.previousHash),
    index('sessions_build').on(table.build),
    sized('sessions_device_size', table.device, 1200),
  ],
)

const person = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const follows = pgTable(
  'follows',
  {
    followerId: person('follower_id'),
    followedId: person('followed_id'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.followedId] }),
    index('follows_followers').on(table.followedId, table.createdAt, table.followerId),
    index('follows_following').on(table.followerId, table.createdAt, table.followedId),
  ],
)

/** Mutes: the muter's lists hide the muted person, who sees no difference. */
export const mutes = pgTable(
  'mutes',
  {
    muterId: person('muter_id'),
    mutedId: person('muted_id'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.muterId, table.mutedId] }),
    index('mutes_muted').on(table.mutedId),
    index('mutes_newest').on(table.muterId, table.createdAt, table.mutedId),
  ],
)

/** Counts of followers and followed people, maintained by triggers on `follows`; without a row both are 0. */
export const personCounts = pgTable('person_counts', {
  userId: person('user_id').primaryKey(),
  followers: integer('followers').notNull().default(0),
  following: integer('following').notNull().default(0),
  /** Grows with each change of the row, so that pages keep the later of two; without a row it is 0. */
  version: integer('version').notNull().default(1),
})
