// Decisions of cases and their appeals.
import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { appeals, cases, decisions } from '#server/store/tables/moderation.ts'
import { isOfOthers } from './cases.ts'

export type DecisionRow = typeof decisions.$inferSelect
export type AppealRow = typeof appeals.$inferSelect

export async function addDecision(tx: Db, row: typeof decisions.$inferInsert): Promise<void> {
  await tx.insert(decisions).values(row)
}

export async function findDecision(db: Db, id: string): Promise<DecisionRow | undefined> {
  return (await db.select().from(decisions).where(eq(decisions.id, id)))[0]
}

/** The latest decision of a case that was not undone. */
export async function findLastDecision(db: Db, caseId: string): Promise<DecisionRow | undefined> {
  const rows = await db
    .select()
    .from(decisions)
    .where(and(eq(decisions.caseId, caseId), isNull(decisions.undoneAt)))
    .orderBy(desc(decisions.decidedAt), desc(decisions.id))
    .limit(1)
  return rows[0]
}

/** All decisions of a case, the latest first. */
export async function listDecisionsOf(db: Db, caseId: string): Promise<DecisionRow[]> {
  return db
    .select()
    .from(decisions)
    .where(eq(decisions.caseId, caseId))
    .orderBy(desc(decisions.decidedAt), desc(decisions.id))
}

export interface DecisionPlace {
  readonly at: Date
  readonly id: string
}

/** Decisions with measures about a person, the latest first. @param exceptCase a case whose decisions are left out */
export async function listDecisionsAbout(
  db: Db,
  personId: string,
  page: {
    readonly after?: DecisionPlace | undefined
    readonly exceptCase?: string | undefined
    /** Staff who read the list: cases that they are a part of are left out. */
    readonly readerId?: string | undefined
    readonly limit: number
  },
): Promise<DecisionRow[]> {
  const { after, exceptCase, readerId, limit } = page
  return db
    .select()
    .from(decisions)
    .where(
      and(
        eq(decisions.personId, personId),
        eq(decisions.outcome, 'acted'),
        exceptCase === undefined ? undefined : ne(decisions.caseId, exceptCase),
        readerId === undefined
          ? undefined
          : inArray(decisions.caseId, db.select({ id: cases.id }).from(cases).where(isOfOthers(readerId))),
        after &&
          sql`(${decisions.decidedAt}, ${decisions.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(decisions.decidedAt), desc(decisions.id))
    .limit(limit)
}

export async function markUndone(tx: Db, id: string, by: string, now: number): Promise<void> {
  await tx
    .update(decisions)
    .set({ undoneBy: by, undoneAt: new Date(now) })
    .where(eq(decisions.id, id))
}

/** Adds the appeal of a decision. @returns false when it has one */
export async function addAppeal(
  tx: Db,
  appeal: Pick<AppealRow, 'decisionId' | 'text' | 'sentAt'>,
): Promise<boolean> {
  const added = await tx
    .insert(appeals)
    .values(appeal)
    .onConflictDoNothing()
    .returning({ id: appeals.decisionId })
  return added.length === 1
}

export async function appealsOf(db: Db, decisionIds: readonly string[]): Promise<Map<string, AppealRow>> {
  if (decisionIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(appeals)
    .where(inArray(appeals.decisionId, [...decisionIds]))
  return new Map(rows.map((row) => [row.decisionId, row]))
}

export async function answerAppealRow(
  tx: Db,
  decisionId: string,
  answer: {
    readonly state: 'upheld' | 'granted'
    readonly text: string
    readonly by: string
    readonly now: number
  },
): Promise<void> {
  await tx
    .update(appeals)
    .set({
      state: answer.state,
      answer: answer.text,
      answeredBy: answer.by,
      answeredAt: new Date(answer.now),
    })
    .where(eq(appeals.decisionId, decisionId))
}
