// Tables of sellers' data by law, and of the requests for them.
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { sellerDisplays } from '#contract/sellers/own-seller.ts'
import { MAX_SELLER_NOTE, MAX_SELLER_REASON, sellerAnswers } from '#contract/sellers/sellers.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The data of a creator as a seller. */
export const sellers = pgTable(
  'sellers',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    display: text('display', { enum: sellerDisplays }).notNull(),
    /** Name, address, telephone, email and hours, encrypted for this person. */
    sealed: text('sealed').notNull(),
    storedAt: at('stored_at').notNull(),
  },
  (table) => [
    // 400 characters of 16 bytes, an email address, a number, nonce and tag, as base64url.
    sized('sellers_sealed_size', table.sealed, 10_000),
  ],
)

/** Requests for a seller's data: a log. Only the answer is added to a row, and the person is removed with their account. */
export const sellerRequests = pgTable(
  'seller_requests',
  {
    id: uuid('id').primaryKey(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    /** Null once the account of the person is deleted. */
    requesterId: uuid('requester_id').references(() => users.id),
    reason: text('reason').notNull(),
    requestedAt: at('requested_at').notNull(),
    dueAt: at('due_at').notNull(),
    /** When the missing data were requested again. */
    remindedAt: at('reminded_at'),
    answeredAt: at('answered_at'),
    answer: text('answer', { enum: sellerAnswers }),
    /** `rule`: at once, or when the data were stored. */
    answeredBy: text('answered_by', { enum: ['rule', 'operator'] }),
    note: text('note').notNull().default(''),
  },
  (table) => [
    index('seller_requests_creator').on(table.creatorId, table.requestedAt, table.id),
    index('seller_requests_requester').on(table.requesterId, table.creatorId, table.requestedAt),
    index('seller_requests_due').on(table.answeredAt, table.dueAt),
    index('seller_requests_at').on(table.requestedAt),
    sized('seller_requests_reason_size', table.reason, bytesFor(MAX_SELLER_REASON)),
    sized('seller_requests_note_size', table.note, bytesFor(MAX_SELLER_NOTE)),
  ],
)
