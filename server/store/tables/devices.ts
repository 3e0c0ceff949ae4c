// Tables of devices on which an account was used.
import { index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Kinds of devices on which a person has signed in: a sign-in on another kind is notified. Rows outlive sessions. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Kind and name, as contract/accounts/sessions.ts has them. */
    device: text('device').notNull(),
    seenAt: at('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.device] }),
    index('known_devices_seen').on(table.seenAt),
    sized('known_devices_device_size', table.device, 2400),
  ],
)

/**
 * Browsers on which an account was signed in, by the id in their signed device cookie. Failed passwords are counted
 * separately for each.
 */
export const rememberedDevices = pgTable(
  'remembered_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    seenAt: at('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.deviceId] }),
    index('remembered_devices_seen').on(table.seenAt),
  ],
)
