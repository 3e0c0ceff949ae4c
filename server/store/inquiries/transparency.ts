// Counts of reports, decisions and inquiries by quarter, for the transparency page.
import { sql } from 'drizzle-orm'
import { DUE_MS } from '#contract/inquiries/states.ts'
import type { Db } from '#server/store/database.ts'

/** How often something was in a quarter (`2026-Q4`, of Asia/Tokyo). */
export interface QuarterCount {
  readonly quarter: string
  readonly group: string
  readonly name: string
  readonly count: number
}

export interface QuarterSpeed {
  readonly quarter: string
  /** Days until the decision. */
  readonly median: number
  readonly p90: number
  /** 0 to 1. */
  readonly within: number
}

const quarterOf = (column: string) => sql.raw(`to_char(${column} at time zone 'Asia/Tokyo', 'YYYY-"Q"Q')`)

/** For a where clause: a hold by a rule of the operator, and not by a person's own words. */
const isOfOperator = sql.raw(`(reviewer = 'staff' or reason <> 'word')`)

/** All counts; a group without rows in a quarter is absent. Reports of inquiries do not count as reports of members. */
export async function countQuarters(db: Db): Promise<QuarterCount[]> {
  const { rows } = (await db.execute(sql`
    select ${quarterOf('created_at')} as quarter, 'reports' as "group", reason as name, count(*)::int as count
      from reports where not exists (select 1 from inquiries where inquiries.report_id = reports.id) group by 1, 3
    union all select ${quarterOf('decided_at')}, 'decisions', outcome, count(*)::int from decisions group by 1, 3
    union all select ${quarterOf('undone_at')}, 'decisions', 'undone', count(*)::int
      from decisions where undone_at is not null group by 1
    union all select ${quarterOf('began_at')}, 'measures', kind, count(*)::int from measures group by 1, 3
    union all select ${quarterOf('sent_at')}, 'appeals', 'sent', count(*)::int from appeals group by 1
    union all select ${quarterOf('answered_at')}, 'appeals', state, count(*)::int
      from appeals where answered_at is not null group by 1, 3
    union all select ${quarterOf('received_at')}, 'inquiries', kind, count(*)::int
      from inquiries where received_at is not null group by 1, 3
    union all select ${quarterOf('decided_at')}, 'outcomes', kind || ' ' || outcome, count(*)::int
      from inquiries where decided_at is not null group by 1, 3
    union all select ${quarterOf('began_at')}, 'suspended', '', count(distinct target_id)::int
      from measures where kind = 'suspend' group by 1
    union all select ${quarterOf('created_at')}, 'holds', reason, count(*)::int
      from holds where ${isOfOperator} group by 1, 3
    union all select ${quarterOf('ended_at')}, 'hold_ends', state, count(*)::int
      from holds where ${isOfOperator} and ended_at is not null group by 1, 3
    union all select ${quarterOf('at')}, 'authorities', '', count(*)::int
      from audit_log where act = 'authority_export.request' group by 1`)) as { rows: QuarterCount[] }
  return rows
}

/** Days from the confirmation to the decision of claims. Messages and withdrawn claims do not count. */
export async function speedOfQuarters(db: Db): Promise<QuarterSpeed[]> {
  const days = sql.raw(`extract(epoch from decided_at - received_at) / 86400`)
  const { rows } = (await db.execute(sql`
    select ${quarterOf('decided_at')} as quarter,
      (percentile_cont(0.5) within group (order by ${days}))::float8 as median,
      (percentile_cont(0.9) within group (order by ${days}))::float8 as p90,
      avg(case when decided_at - received_at <= ${DUE_MS} * interval '1 millisecond' then 1 else 0 end)::float8 as within
    from inquiries where decided_at is not null and kind <> 'contact' and outcome <> 'withdrawn'
    group by 1`)) as { rows: QuarterSpeed[] }
  return rows
}
