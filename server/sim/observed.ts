// Reads what the server has stored about the people of one story.
import { decideReadable } from '#server/services/posts/post-decision.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import type { World } from '#server/testing/world.ts'
import { BIRTH_DATE, type Cast } from './cast.ts'

export interface StoredPayment {
  readonly id: string
  readonly user_id: string
  readonly post_id: string | null
  readonly amount: number
  readonly state: string
  readonly charge_gid: string | null
}

export interface StoredCharge {
  readonly gid: string
  readonly payment_id: string
  readonly amount: number
  readonly is_surplus: boolean
  /** Why it paid for nothing; null for one that paid. */
  readonly surplus_reason: string | null
  readonly entries: readonly StoredEntry[] | null
}

export interface StoredEntry {
  readonly cause:
    | 'sale'
    | 'refund'
    | 'surplus'
    | 'refund_paid'
    | 'dispute'
    | 'dispute_won'
    | 'dispute_covered'
    | 'dispute_fee'
  readonly lines: readonly { readonly account: string; readonly amount: number }[]
}

export interface StoredPurchase {
  readonly user_id: string
  readonly post_id: string
  readonly revoked: boolean
}

export interface StoredTask {
  readonly kind: string
  readonly gid: string | null
  readonly done: boolean
}

export interface Observed {
  readonly payments: readonly StoredPayment[]
  readonly charges: readonly StoredCharge[]
  readonly purchases: readonly StoredPurchase[]
  readonly tasks: readonly StoredTask[]
  /** Ids of people whose accounts were erased. */
  readonly gone: readonly string[]
  /** Posts that each fan may read in full and that are priced, as `fan post`. */
  readonly open: ReadonlySet<string>
}

const state = `
  with fans as (select id from users where id = any($1::uuid[])),
    paid as (select p.* from payments p join fans on fans.id = p.user_id),
    taken as (select c.* from charges c join paid on paid.id = c.payment_id)
  select
    (select coalesce(json_agg(json_build_object('id', id, 'user_id', user_id, 'post_id', post_id,
      'amount', amount, 'state', state, 'charge_gid', charge_gid)), '[]') from paid) as payments,
    (select coalesce(json_agg(json_build_object('gid', gid, 'payment_id', payment_id, 'amount', amount,
      'is_surplus', is_surplus, 'surplus_reason', surplus_reason, 'entries', (
        select json_agg(json_build_object('cause', e.cause, 'lines', (
          select json_agg(json_build_object('account', l.account, 'amount', l.amount))
          from ledger_lines l where l.entry_id = e.id)))
        from ledger_entries e
        where e.charge_id = taken.id))), '[]')
      from taken) as charges,
    (select coalesce(json_agg(json_build_object('user_id', b.user_id, 'post_id', b.post_id,
      'revoked', b.revoked_at is not null)), '[]')
      from post_purchases b join fans on fans.id = b.user_id) as purchases,
    (select coalesce(json_agg(json_build_object('kind', kind, 'gid', gid, 'done', done)), '[]') from (
        select t.kind, t.details->>'gid' as gid, t.done_at is not null as done
        from operator_tasks t join paid on paid.id = t.payment_id where t.kind <> 'notice_mismatch'
        union all
        select 'notice_mismatch', n.gid, not exists (select 1 from operator_tasks g where g.kind = 'notice_mismatch'
          and g.done_at is null and g.details->>'why' = n.outcome and g.details->>'provider' = n.provider)
        from payment_notices n join paid on paid.id = n.payment_id
        where n.outcome like 'refused:%' or n.outcome = 'foreign') told) as tasks,
    (select coalesce(json_agg(id), '[]') from users
      where id = any($2::uuid[]) and deleted_at is not null) as gone`

type Stored = Omit<Observed, 'open'>

const arrayOf = (ids: readonly string[]) => `{${ids.join(',')}}`

/**
 * Reads the state.
 * @param before the last state, whose access is still valid while the purchases are the same; undefined reads it again
 */
export async function observe(world: World, cast: Cast, before?: Observed): Promise<Observed> {
  const ids = cast.fans.map((it) => it.member.id)
  const { rows } = await world.database.executeSql(state, [arrayOf(ids), arrayOf([...ids, cast.creator.id])])
  const stored = rows[0] as Stored
  const isSame = before && JSON.stringify(before.purchases) === JSON.stringify(stored.purchases)
  return { ...stored, open: isSame ? before.open : await openPosts(world, cast) }
}

async function openPosts({ deps, clock }: World, { fans, offers }: Cast): Promise<Set<string>> {
  const open = new Set<string>()
  const postIds = offers.map((it) => it.id)
  for (const { member } of fans) {
    const viewer = { id: member.id, birthDate: BIRTH_DATE }
    const facts = await factsOfPosts(deps.db, member.id, postIds, clock.now)
    for (const { post, decision } of decideReadable(viewer, facts, clock.now))
      if (post.type === 3 && (decision.is === 'full' || decision.is === 'kept'))
        open.add(`${member.id} ${post.id}`)
  }
  return open
}
