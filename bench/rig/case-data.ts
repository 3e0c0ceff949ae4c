// 100,000 cases with 260,000 reports, for the lists of staff.
import { createHash } from 'node:crypto'

export const CASES = 100_000
const OWNERS = 5000

type RunSql = (sql: string, values?: unknown[]) => Promise<unknown>

export const caseToken = 'bench-session-of-cases'

const uid = (kind: number, n: string): string =>
  `('0000000${kind}-0000-7000-a000-' || lpad((${n})::text, 12, '0'))::uuid`

/** A third of the cases is open, 5 percent appealed; most are about posts, and few have more than three reports. */
const cases = `insert into cases (id, target_kind, target_id, owner_id, state, reports, since)
  select ${uid(4, 'n')},
    case when n % 10 < 6 then 'post' when n % 10 < 8 then 'comment' when n % 10 = 8 then 'person' else 'message' end,
    ${uid(5, 'n')}, ${uid(3, `1 + n % ${OWNERS}`)},
    case when n % 20 = 0 then 'appealed' when n % 3 = 0 then 'open' else 'decided' end,
    1 + (n::bigint * 7919) % 5 * ((n % 4) / 3), now() - n * interval '40 seconds'
  from generate_series(1, ${CASES}) n`

const reports = `insert into reports
    (id, case_id, reporter_id, owner_id, target_kind, target_id, reason, detail, quoted, state, created_at)
  select gen_random_uuid(), c.id, ${uid(3, `1 + ((row_number() over ()) * 31 + k * 997) % ${OWNERS}`)}, c.owner_id, c.target_kind, c.target_id,
    (array['spam','harassment','copyright'])[1 + k % 3], '', '{"content": "通報された投稿の最初の言葉です"}',
    case when c.state = 'open' then 'open' else 'acted' end, c.since + k * interval '1 second'
  from cases c cross join lateral generate_series(1, 1 + c.reports) k
  on conflict do nothing`

/** Fills an empty database; a moderator gets a session with `caseToken`. */
export async function fillCases(run: RunSql): Promise<void> {
  await run(
    `insert into users (id, email, password_hash, name, birth_date, role, created_at)
     select ${uid(3, 'n')}, 'person' || n || '@bench.example', 'none', '人' || n, '1990-04-01',
       case when n = 1 then 'moderator' else 'member' end, now() from generate_series(1, ${OWNERS}) n`,
  )
  await run(
    `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at)
     values ($1, gen_random_uuid(), ${uid(3, '1')}, now(), now() + interval '1 day', now() + interval '300 days')`,
    [createHash('sha256').update(caseToken).digest('base64url')],
  )
  await run(cases)
  await run(reports)
  await run('vacuum analyze cases')
  await run('vacuum analyze reports')
}
