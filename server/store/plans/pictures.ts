// Pictures of plans, which wait for their conversion.
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { planPictures } from '#server/store/tables/plans.ts'

/** Sets the picture that will replace the shown one. @returns the waiting picture that it replaces */
export async function setNextPlanPicture(
  tx: Db,
  planId: string,
  mediaId: string,
): Promise<string | undefined> {
  const before = await removePlanPictures(tx, planId, ['next'])
  await tx.insert(planPictures).values({ planId, role: 'next', mediaId })
  return before[0]
}

/** Removes pictures from a plan. @returns their media ids */
export async function removePlanPictures(
  tx: Db,
  planId: string,
  roles: readonly ('shown' | 'next')[],
): Promise<string[]> {
  const removed = await tx
    .delete(planPictures)
    .where(and(eq(planPictures.planId, planId), inArray(planPictures.role, [...roles])))
    .returning({ id: planPictures.mediaId })
  return removed.map((row) => row.id)
}

/** Shows a converted picture if it was waiting. @returns the picture that was shown before */
export async function placeMadePlanPicture(tx: Db, mediaId: string): Promise<string | undefined> {
  const waiting = await tx
    .select({ planId: planPictures.planId })
    .from(planPictures)
    .where(and(eq(planPictures.mediaId, mediaId), eq(planPictures.role, 'next')))
    .for('update')
  if (!waiting[0]) return undefined
  const { planId } = waiting[0]
  const before = await removePlanPictures(tx, planId, ['shown'])
  await tx.update(planPictures).set({ role: 'shown' }).where(eq(planPictures.mediaId, mediaId))
  return before[0]
}
