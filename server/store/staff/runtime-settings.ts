// Settings at runtime: their stored values, and the history of their changes.
import { and, desc, eq, lt, or, sql } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { SettingName } from '#contract/administration/runtime-names.ts'
import type { SettingValue } from '#contract/administration/runtime-settings.ts'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'
import { runtimeSettingChanges, runtimeSettings } from '#server/store/tables/settings.ts'

/** Any number, as long as every process uses the same one. */
const SETTINGS_LOCK = 7_240_003

/** Stored values by name, unparsed; a setting without a row has its default. */
export async function readSettings(db: Db): Promise<Map<SettingName, unknown>> {
  const rows = await db.select().from(runtimeSettings)
  return new Map(rows.map((it) => [it.name, it.value]))
}

/** Orders the changes of all processes, to the end of the transaction. */
export async function lockSettings(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SETTINGS_LOCK})`)
}

export interface SettingWrite {
  readonly name: SettingName
  readonly from: SettingValue
  /** Null removes the value, so that the default applies. */
  readonly to: SettingValue
}

/** Writes new values and their history, in a transaction that has locked the settings. */
export async function writeSettings(
  tx: Db,
  writes: readonly SettingWrite[],
  by: { readonly actorId: string; readonly now: number },
): Promise<void> {
  for (const { name, from, to } of writes) {
    if (to === null) await tx.delete(runtimeSettings).where(eq(runtimeSettings.name, name))
    else
      await tx
        .insert(runtimeSettings)
        .values({ name, value: to })
        .onConflictDoUpdate({ target: runtimeSettings.name, set: { value: to } })
    const changedAt = new Date(by.now)
    await tx
      .insert(runtimeSettingChanges)
      .values({ id: newId(), name, from, to, actorId: by.actorId, changedAt })
  }
}

export interface SettingChangeRow extends SettingWrite {
  readonly id: string
  readonly at: Date
  readonly actorId: string
  /** Null after the account was deleted. */
  readonly actorName: string | null
}

/** Changes, newest first. @param after the last one of the page before */
export async function listSettingChanges(
  db: Db,
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<SettingChangeRow[]> {
  const { id, name, from, to, actorId, changedAt } = runtimeSettingChanges
  const rows = await db
    .select({ id, name, from, to, actorId, at: changedAt, actorName: users.name, gone: users.deletedAt })
    .from(runtimeSettingChanges)
    .innerJoin(users, eq(users.id, actorId))
    .where(after && or(lt(changedAt, after.at), and(eq(changedAt, after.at), lt(id, after.id))))
    .orderBy(desc(changedAt), desc(id))
    .limit(limit)
  return rows.map(({ gone, actorName, ...row }) => ({ ...row, actorName: gone ? null : actorName }))
}
