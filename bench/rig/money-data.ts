// A creator with 100,000 purchases and as many members, and fans with sessions.
import { createHash } from 'node:crypto'
import { fillSearch, type RunSql } from './feed-data.ts'

/** Buyers who have bought every priced post of the creator, and those posts. */
const BUYERS = 1000
const SOLD_POSTS = 100
export const PURCHASES = BUYERS * SOLD_POSTS
/** Members of the creator's plan. */
export const MEMBERS = 100_000
/** Fans with sessions who have bought nothing. */
export const FANS = 2000
export const PRICE = 500

const kinds = {
  creator: 1,
  buyer: 2,
  fan: 3,
  post: 4,
  payment: 5,
  charge: 6,
  entry: 7,
  row: 8,
  member: 9,
} as const

export const idOf = (kind: keyof typeof kinds, n: number): string =>
  `0000000${kinds[kind]}-0000-7000-9000-${n.toString(16).padStart(12, '0')}`

export const fanToken = (n: number): string => `bench-session-of-fan-${n}`
/** Of buyers, who have 100 purchases each. */
export const buyerToken = (n: number): string => `bench-session-of-buyer-${n % BUYERS}`
export const memberToken = (n: number): string => `bench-session-of-member-${n % FANS}`
export const creatorToken = 'bench-session-of-creator'

const uid = (kind: keyof typeof kinds, n: string): string =>
  `('0000000${kinds[kind]}-0000-7000-9000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`

const person = (kind: 'creator' | 'buyer' | 'fan' | 'member', count: number): string =>
  `insert into users (id, email, password_hash, name, birth_date, created_at)
   select ${uid(kind, 'n')}, '${kind}' || n || '@bench.example', 'none', '会員' || n, '1990-04-01', now() - interval '90 days'
   from generate_series(1, ${count}) n`

const sale = `(${SOLD_POSTS} * (b - 1) + p)`
const allSales = `from generate_series(1, ${BUYERS}) b, generate_series(1, ${SOLD_POSTS}) p`
const creator = `'${idOf('creator', 1)}'::uuid`

/** One line of every sale of 500 yen. */
const linesOf = (nth: number, account: string, amount: number, owner = 'null'): string =>
  `insert into ledger_lines (id, entry_id, account, creator_id, amount)
   select ${uid('row', `4 * ${sale} + ${nth}`)}, ${uid('entry', sale)}, '${account}', ${owner}::uuid, ${amount} ${allSales}`

const rows = [
  person('creator', 1),
  person('buyer', BUYERS),
  person('fan', FANS),
  person('member', MEMBERS),
  `update users set identified_at = now() where id = ${creator}`,
  `insert into posts (id, author_id, type, content, is_age_limited, price, created_at, released_at)
   select ${uid('post', 'n')}, ${creator}, 3, '有料の投稿 ' || n, false, ${PRICE}, at, at
   from (select n, now() - n * interval '1 hour' as at from generate_series(1, ${SOLD_POSTS}) n) x`,
  `insert into post_purchases (post_id, user_id, price, bought_at)
   select ${uid('post', 'p')}, ${uid('buyer', 'b')}, ${PRICE}, now() ${allSales}`,
  `insert into payments (id, user_id, creator_id, kind, post_id, amount, fee_rate, state, charge_gid, session_id,
     auth_id, created_at, expires_at, paid_at)
   select ${uid('payment', sale)}, ${uid('buyer', 'b')}, ${creator}, 'post', ${uid('post', 'p')}, ${PRICE}, 1000, 'paid',
     'bench-' || ${sale}, 's', 'a', now(), now(), now() ${allSales}`,
  `insert into charges (id, provider, gid, payment_id, amount, is_surplus, charged_at)
   select ${uid('charge', sale)}, 'sandbox', 'bench-' || ${sale}, ${uid('payment', sale)}, ${PRICE}, false, now() ${allSales}`,
  `insert into ledger_entries (id, at, cause, charge_id, creator_id)
   select ${uid('entry', sale)}, now() - ${sale} * interval '5 minutes', 'sale', ${uid('charge', sale)}, ${creator}
   ${allSales}`,
  linesOf(0, 'provider_receivable', 500),
  linesOf(1, 'creator_payable', -450, creator),
  linesOf(2, 'platform_fee', -46),
  linesOf(3, 'fee_tax', -4),
]

/** The creator's plan, a post of it, and a membership of each member that began with a payment. */
export const PLAN_ID = idOf('row', 2e9)
const plan = `'${PLAN_ID}'::uuid`
const allMembers = `from generate_series(1, ${MEMBERS}) n`
const joinedAt = `now() - n * interval '1 second'`
const members = [
  `insert into plans (id, creator_id, name, price, created_at) values (${plan}, ${creator}, '応援', ${PRICE}, now())`,
  `insert into posts (id, author_id, type, content, is_age_limited, created_at, released_at)
   values ('${idOf('post', 1000)}', ${creator}, 2, 'プランの投稿', false, now(), now())`,
  `insert into post_plans (post_id, plan_id) values ('${idOf('post', 1000)}', ${plan})`,
  `insert into payments (id, user_id, creator_id, kind, plan_id, amount, fee_rate, state, charge_gid, session_id, auth_id,
     ac1, membership_id, period_from, period_until, created_at, expires_at, paid_at)
   select ${uid('member', 'n')}, ${uid('member', 'n')}, ${creator}, 'plan', ${plan}, ${PRICE}, 1000, 'paid', 'plan-' || n,
     's', 'a', 1, ${uid('member', 'n')}, ${joinedAt}, now() + interval '20 days', ${joinedAt}, ${joinedAt}, ${joinedAt} ${allMembers}`,
  `insert into memberships (id, user_id, creator_id, plan_id, price, state, charge_day, provider, acid, charged_amount,
     paid_until, joined_at)
   select ${uid('member', 'n')}, ${uid('member', 'n')}, ${creator}, ${plan}, ${PRICE}, 'active', 1, 'sandbox', 'acid-' || n,
     ${PRICE}, now() + interval '20 days', ${joinedAt} ${allMembers}`,
  `insert into plan_members (plan_id, user_id, joined_at, membership_id, copies_until)
   select ${plan}, ${uid('member', 'n')}, ${joinedAt}, ${uid('member', 'n')}, now() + interval '34 days' ${allMembers}`,
]

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

const holders: readonly (readonly [token: string, userId: string])[] = [
  [creatorToken, idOf('creator', 1)],
  ...Array.from({ length: FANS }, (_, n) => [fanToken(n), idOf('fan', n + 1)] as const),
  ...Array.from({ length: FANS }, (_, n) => [memberToken(n), idOf('member', n + 1)] as const),
  ...Array.from({ length: BUYERS }, (_, n) => [buyerToken(n), idOf('buyer', n + 1)] as const),
]

function sessions(): string {
  const values = holders.map(([token, userId], n) => {
    const ids = [hashOf(token), idOf('row', 1e9 + n), userId]
    return `('${ids.join("', '")}', now(), now() + interval '1 day', now() + interval '300 days')`
  })
  return `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at) values ${values.join(', ')}`
}

/** Fills a migrated database with triggers disabled. */
export async function fillMoney(run: RunSql): Promise<void> {
  await run('set session_replication_role = replica')
  for (const sql of [...rows, ...members, sessions()]) await run(sql)
  await run(
    `insert into post_counts (post_id) select id from posts where author_id = ${creator} on conflict do nothing`,
  )
  await run(
    `insert into plan_count_changes (plan_id, members, monthly_yen) values (${plan}, ${MEMBERS}, ${MEMBERS * PRICE})`,
  )
  await run(
    `insert into membership_days (plan_id, day, began, ended, is_folded)
     select plan_id, (joined_at at time zone 'Asia/Tokyo')::date, count(*), 0, true from memberships group by 1, 2`,
  )
  // Without it the product indexes everyone while it is measured.
  await fillSearch(run)
  await run('set session_replication_role = default')
  await run('vacuum analyze')
  await run('checkpoint')
}
