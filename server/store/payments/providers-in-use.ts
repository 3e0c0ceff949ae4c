// The payment providers on which rows still depend.
import { and, gt, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { memberships } from '#server/store/tables/memberships.ts'
import { payments } from '#server/store/tables/payments.ts'

/** Names of the providers that charge members, or at which a payment can be paid now (ms since 1970). */
export async function listProvidersInUse(db: Db, now: number): Promise<string[]> {
  const charging = await db
    .selectDistinct({ name: memberships.provider })
    .from(memberships)
    .where(ne(memberships.state, 'ended'))
  const isOpen = and(inArray(payments.state, ['created', 'pending']), gt(payments.expiresAt, new Date(now)))
  const open = await db
    .selectDistinct({ name: payments.provider })
    .from(payments)
    .where(and(isOpen, isNotNull(payments.provider)))
  return [...new Set([...charging, ...open].flatMap((it) => it.name ?? []))].toSorted()
}
