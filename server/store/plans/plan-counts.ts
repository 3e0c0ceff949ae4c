// Folds the changes of plans' numbers, so that few rows are added up.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/**
 * Replaces the changes of each plan by their sum, in one statement: a reader sees either, with the same sum. Changes that
 * others add at the same time stay. A sum of nothing, also of an erased plan, leaves no row.
 */
export async function foldPlanCounts(db: Db): Promise<void> {
  await db.execute(sql`
    with folded as (
      delete from plan_count_changes where plan_id in (
        select plan_id from plan_count_changes group by plan_id
        having count(*) > 1 or (sum(members) = 0 and sum(monthly_yen) = 0))
      returning plan_id, members, monthly_yen)
    insert into plan_count_changes (plan_id, members, monthly_yen)
    select plan_id, sum(members), sum(monthly_yen) from folded group by plan_id
    having sum(members) <> 0 or sum(monthly_yen) <> 0`)
}
