// Templates of decision texts.
import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { decisionTemplates } from '#server/store/tables/moderation.ts'

export type TemplateRow = typeof decisionTemplates.$inferSelect

export async function listTemplateRows(db: Db): Promise<TemplateRow[]> {
  return db.select().from(decisionTemplates).orderBy(asc(decisionTemplates.name), asc(decisionTemplates.id))
}

/** Locks the list of templates until the transaction ends. @returns how many there are besides this one */
export async function lockTemplates(tx: Db, exceptId: string): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('decision_templates'))`)
  return tx.$count(decisionTemplates, sql`${decisionTemplates.id} <> ${exceptId}`)
}

export async function putTemplate(tx: Db, row: TemplateRow): Promise<void> {
  await tx
    .insert(decisionTemplates)
    .values(row)
    .onConflictDoUpdate({ target: decisionTemplates.id, set: row })
}

/** @returns false when there was none */
export async function dropTemplate(tx: Db, id: string): Promise<boolean> {
  const removed = await tx
    .delete(decisionTemplates)
    .where(eq(decisionTemplates.id, id))
    .returning({ id: decisionTemplates.id })
  return removed.length > 0
}
