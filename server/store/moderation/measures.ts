// Measures of decisions, and which of them apply to a thing or person now.
import { and, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { type MeasureKind, measureKinds } from '#contract/moderation/measures.ts'
import type { Db } from '#server/store/database.ts'
import { measures } from '#server/store/tables/moderation.ts'

export type MeasureRow = typeof measures.$inferSelect
/** What a measure is about. */
export type Subject = Pick<MeasureRow, 'targetKind' | 'targetId'>

export async function addMeasures(tx: Db, rows: readonly (typeof measures.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(measures).values([...rows])
}

/** Measures of decisions, of each in the order of `measureKinds`: that of the content first. */
export async function measuresOf(db: Db, decisionIds: readonly string[]): Promise<Map<string, MeasureRow[]>> {
  if (decisionIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(measures)
    .where(inArray(measures.decisionId, [...decisionIds]))
  const rank = ({ kind }: MeasureRow) => measureKinds.indexOf(kind)
  return Map.groupBy(
    rows.toSorted((a, b) => rank(a) - rank(b)),
    (it) => it.decisionId,
  )
}

/** Ends the measures of a decision that still apply. @returns what they are about */
export async function endMeasuresOf(tx: Db, decisionId: string, now: number): Promise<MeasureRow[]> {
  return tx
    .update(measures)
    .set({ endedAt: new Date(now) })
    .where(and(eq(measures.decisionId, decisionId), isNull(measures.endedAt)))
    .returning()
}

/** The kinds of measures that apply to a thing or person. */
export async function activeKinds(db: Db, { targetKind, targetId }: Subject): Promise<Set<MeasureKind>> {
  const rows = await db
    .select({ kind: measures.kind })
    .from(measures)
    .where(and(isAbout({ targetKind, targetId }), isNull(measures.endedAt)))
  return new Set(rows.map((it) => it.kind))
}

const isAbout = ({ targetKind, targetId }: Subject) =>
  and(eq(measures.targetKind, targetKind), eq(measures.targetId, targetId))

/** Whether a measure of the post began when it had no age limit. */
export async function hasSetAgeLimit(db: Db, postId: string): Promise<boolean> {
  const rows = await db
    .select({ id: measures.id })
    .from(measures)
    .where(
      and(
        isAbout({ targetKind: 'post', targetId: postId }),
        eq(measures.kind, 'age_limit'),
        eq(measures.changed, true),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Records that the age limit of a decision changed nothing. */
export async function markUnchanged(tx: Db, decisionId: string): Promise<void> {
  await tx
    .update(measures)
    .set({ changed: false })
    .where(and(eq(measures.decisionId, decisionId), eq(measures.kind, 'age_limit')))
}

/** Whether content was removed for good. */
export async function isFinal(db: Db, about: Subject): Promise<boolean> {
  const rows = await db
    .select({ id: measures.id })
    .from(measures)
    .where(and(isAbout(about), isNotNull(measures.finalAt)))
    .limit(1)
  return rows.length > 0
}

/** Records that removed content was deleted for good. */
export async function markFinal(tx: Db, about: Subject, now: number): Promise<void> {
  await tx
    .update(measures)
    .set({ finalAt: new Date(now) })
    .where(and(isAbout(about), eq(measures.kind, 'remove'), isNull(measures.endedAt)))
}

/** Ends measures whose time is over, at most 500. @returns what they are about */
export async function endOverMeasures(tx: Db, now: number): Promise<MeasureRow[]> {
  const over = tx
    .select({ id: measures.id })
    .from(measures)
    .where(and(isNull(measures.endedAt), lte(measures.until, new Date(now))))
    .orderBy(measures.until)
    .limit(500)
    .for('update', { skipLocked: true })
  return tx
    .update(measures)
    .set({ endedAt: new Date(now) })
    .where(inArray(measures.id, over))
    .returning()
}
