// Tasks whose cause a comparison with the provider's list can find right.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { operatorTasks } from '#server/store/tables/payments.ts'
import { ended, type TaskKind, toTask } from './operator-tasks.ts'
import { refKeys } from './stored-refs.ts'

/** Kinds that a comparison can find right. */
const compared: readonly TaskKind[] = ['difference', 'stop_charges', 'change_amount', 'resume_charges']

/** The provider's numbers of charges and recurring charges that open tasks are about, so that the others need no further look. */
export async function refsOfComparedTasks(db: Db): Promise<Set<string>> {
  const rows = await db
    .select()
    .from(operatorTasks)
    .where(and(inArray(operatorTasks.kind, [...compared]), isNull(operatorTasks.doneAt)))
  return new Set(
    rows.flatMap((row) => {
      const { chargeRef, recurringRef } = toTask(row).details
      return [chargeRef ?? [], recurringRef ?? []].flat()
    }),
  )
}

/** A version that stored no provider of a task had one. */
const isOfProvider = (provider: string) =>
  sql`coalesce(${operatorTasks.details}->>'provider', ${provider}) = ${provider}`

/** Closes the open differences of a charge, or of a recurring charge, with these reasons. */
export async function closeDifferences(
  tx: Db,
  about: { readonly provider: string; readonly ref: string },
  whys: readonly string[],
  now: number,
): Promise<void> {
  const isRight = and(
    eq(operatorTasks.kind, 'difference'),
    sql`${operatorTasks.details}->>${sql.raw(`'${refKeys.chargeRef}'`)} = ${about.ref}`,
    inArray(sql`${operatorTasks.details}->>'why'`, [...whys]),
    isOfProvider(about.provider),
    isNull(operatorTasks.doneAt),
  )
  await tx
    .update(operatorTasks)
    .set(ended({ now, why: 'found_right' }))
    .where(isRight)
}
