// Rows of the sandbox providers: their charges, recurring charges, notices and behaviour.
import { and, asc, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import {
  sandboxBehaviour,
  sandboxCharges,
  sandboxNotices,
  sandboxRecurring,
} from '#server/store/tables/payment-sandbox.ts'

export type SandboxName = SandboxCharge['provider']
export type SandboxCharge = typeof sandboxCharges.$inferSelect
export type SandboxRecurring = typeof sandboxRecurring.$inferSelect
export type SandboxNotice = typeof sandboxNotices.$inferSelect

export async function addSandboxCharge(db: Db, charge: SandboxCharge): Promise<void> {
  await db.insert(sandboxCharges).values(charge)
}

export async function findSandboxCharge(db: Db, chargeRef: string): Promise<SandboxCharge | undefined> {
  return (await db.select().from(sandboxCharges).where(eq(sandboxCharges.chargeRef, chargeRef)))[0]
}

/** The charge of a payment that can still be paid. */
export async function findOpenCharge(db: Db, paymentId: string): Promise<SandboxCharge | undefined> {
  const rows = await db
    .select()
    .from(sandboxCharges)
    .where(and(eq(sandboxCharges.paymentId, paymentId), eq(sandboxCharges.state, 'open')))
    .orderBy(desc(sandboxCharges.createdAt))
    .limit(1)
  return rows[0]
}

/** The latest charge of a payment that took money. */
export async function findTakenCharge(db: Db, paymentId: string): Promise<SandboxCharge | undefined> {
  const rows = await db
    .select()
    .from(sandboxCharges)
    .where(and(eq(sandboxCharges.paymentId, paymentId), inArray(sandboxCharges.state, ['paid', 'refunded'])))
    .orderBy(desc(sandboxCharges.createdAt), desc(sandboxCharges.chargeRef))
    .limit(1)
  return rows[0]
}

export async function setSandboxCharge(
  db: Db,
  chargeRef: string,
  changed: Pick<SandboxCharge, 'recurringRef'>,
): Promise<void> {
  await db.update(sandboxCharges).set(changed).where(eq(sandboxCharges.chargeRef, chargeRef))
}

export async function addSandboxRecurring(db: Db, row: SandboxRecurring): Promise<void> {
  await db.insert(sandboxRecurring).values(row)
}

/** The recurring charge that a payment began. */
export async function findSandboxRecurring(db: Db, paymentId: string): Promise<SandboxRecurring | undefined> {
  const rows = await db
    .select()
    .from(sandboxRecurring)
    .where(eq(sandboxRecurring.paymentId, paymentId))
    .orderBy(asc(sandboxRecurring.createdAt))
    .limit(1)
  return rows[0]
}

export function listSandboxRecurring(db: Db, provider: SandboxName): Promise<SandboxRecurring[]> {
  return db
    .select()
    .from(sandboxRecurring)
    .where(eq(sandboxRecurring.provider, provider))
    .orderBy(asc(sandboxRecurring.createdAt), asc(sandboxRecurring.recurringRef))
}

/** Running recurring charges whose next month is due. */
export function listDueRecurring(
  db: Db,
  providers: readonly SandboxName[],
  now: number,
  most: number,
): Promise<SandboxRecurring[]> {
  const isDue = and(eq(sandboxRecurring.state, 'running'), lte(sandboxRecurring.nextAt, new Date(now)))
  return db
    .select()
    .from(sandboxRecurring)
    .where(and(inArray(sandboxRecurring.provider, [...providers]), isDue))
    .orderBy(asc(sandboxRecurring.nextAt), asc(sandboxRecurring.recurringRef))
    .limit(most)
}

export async function setSandboxRecurring(
  db: Db,
  recurringRef: string,
  changed: Partial<Pick<SandboxRecurring, 'amount' | 'state' | 'nextAt' | 'failures'>>,
): Promise<void> {
  await db.update(sandboxRecurring).set(changed).where(eq(sandboxRecurring.recurringRef, recurringRef))
}

/** Moves a charge to another state. @returns false when it was not in the first one */
export async function moveSandboxCharge(
  db: Db,
  chargeRef: string,
  from: SandboxCharge['state'],
  to: SandboxCharge['state'],
  chargedAt?: Date,
): Promise<boolean> {
  const moved = await db
    .update(sandboxCharges)
    .set(chargedAt ? { state: to, chargedAt } : { state: to })
    .where(and(eq(sandboxCharges.chargeRef, chargeRef), eq(sandboxCharges.state, from)))
    .returning({ chargeRef: sandboxCharges.chargeRef })
  return moved.length === 1
}

/** Returns so much of a charge that in total `returned` yen are returned; never less than before. */
export async function returnSandboxCharge(db: Db, chargeRef: string, returned: number): Promise<void> {
  await db
    .update(sandboxCharges)
    .set({
      refunded: sql`least(${sandboxCharges.amount}, greatest(${sandboxCharges.refunded}, ${returned}))`,
      state: sql`case when ${returned} >= ${sandboxCharges.amount} then 'refunded' else ${sandboxCharges.state} end`,
    })
    .where(and(eq(sandboxCharges.chargeRef, chargeRef), inArray(sandboxCharges.state, ['paid', 'refunded'])))
}

/** Charges that took money, also those that were refunded, oldest first. */
export function listSandboxCharges(db: Db, provider: SandboxName): Promise<SandboxCharge[]> {
  return db
    .select()
    .from(sandboxCharges)
    .where(and(eq(sandboxCharges.provider, provider), inArray(sandboxCharges.state, ['paid', 'refunded'])))
    .orderBy(asc(sandboxCharges.createdAt), asc(sandboxCharges.chargeRef))
}

export async function addSandboxNotice(db: Db, notice: SandboxNotice): Promise<void> {
  await db.insert(sandboxNotices).values(notice)
}

/** Notices that wait for a later one, the newest first. */
export function listHeldNotices(db: Db): Promise<SandboxNotice[]> {
  return db
    .select()
    .from(sandboxNotices)
    .where(and(isNull(sandboxNotices.sentAt), isNull(sandboxNotices.dueAt)))
    .orderBy(desc(sandboxNotices.createdAt), desc(sandboxNotices.id))
}

/** Notices that are due, in the order of their times. */
export function listDueNotices(db: Db, now: number): Promise<SandboxNotice[]> {
  return db
    .select()
    .from(sandboxNotices)
    .where(and(isNull(sandboxNotices.sentAt), lte(sandboxNotices.dueAt, new Date(now))))
    .orderBy(asc(sandboxNotices.dueAt), asc(sandboxNotices.id))
}

export async function setNoticeSent(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(sandboxNotices)
    .set({ sentAt: new Date(now) })
    .where(eq(sandboxNotices.id, id))
}

export async function readSandboxBehaviour(db: Db): Promise<Readonly<Record<string, unknown>>> {
  return (await db.select().from(sandboxBehaviour))[0]?.behaviour ?? {}
}

export async function writeSandboxBehaviour(
  db: Db,
  behaviour: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db
    .insert(sandboxBehaviour)
    .values({ id: 1, behaviour })
    .onConflictDoUpdate({ target: sandboxBehaviour.id, set: { behaviour } })
}
