// An audit log with 1,000,000 entries of 20 admins, unevenly distributed.
import { createHash } from 'node:crypto'

export const ENTRIES = 1_000_000
const ADMINS = 20

type RunSql = (sql: string, values?: unknown[]) => Promise<unknown>

export const auditToken = 'bench-session-of-admin'

/** The id of the nth admin, and of the nth thing that an entry is about. */
export const adminId = (n: number): string => `00000001-0000-7000-a000-${String(n).padStart(12, '0')}`
export const thingId = (n: number): string => `00000002-0000-7000-a000-${String(n).padStart(12, '0')}`

const uid = (kind: 1 | 2, n: string): string =>
  `('0000000${kind}-0000-7000-a000-' || lpad((${n})::text, 12, '0'))::uuid`

/**
 * Half of the log is by the first admin, who reads lists of payouts alone and always about themselves; the others read 50,000
 * identity checks, and never such a list. So each pair of a frequent person, act and subject has a case without an entry.
 */
const entries = `insert into audit_log (id, seq, hash, at, actor_id, act, subject_kind, subject_id, detail, ip)
  select gen_random_uuid(), n, 'bench', now() - (${ENTRIES} - n) * interval '60 seconds',
    case when n % 2 = 0 then ${uid(1, '1')} else ${uid(1, `2 + (n / 2) % ${ADMINS - 1}`)} end,
    case when n % 2 = 0 then 'payouts.list' when n % 3 = 0 then 'refund' else 'identity.read' end,
    case when n % 2 = 0 then 'user' when n % 3 = 0 then 'payment' else 'identity_check' end,
    case when n % 2 = 0 then ${uid(1, '1')} else ${uid(2, '(n::bigint * 7919) % 50000')} end,
    '{"amount": 500}', '192.0.2.1'
  from generate_series(1, ${ENTRIES}) n`

/** Fills an empty log; the first admin gets a session with `auditToken`. */
export async function fillAudit(run: RunSql): Promise<void> {
  await run(
    `insert into users (id, email, password_hash, name, birth_date, role, created_at)
     select ${uid(1, 'n')}, 'admin' || n || '@bench.example', 'none', '運営' || n, '1990-04-01', 'admin', now()
     from generate_series(1, ${ADMINS}) n`,
  )
  await run(
    `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at)
     values ($1, gen_random_uuid(), $2, now(), now() + interval '1 day', now() + interval '300 days')`,
    [createHash('sha256').update(auditToken).digest('base64url'), adminId(1)],
  )
  await run('alter table audit_log disable trigger user')
  await run('delete from audit_log')
  await run('alter table audit_log enable trigger user')
  await run(entries)
  await run('vacuum analyze audit_log')
}
