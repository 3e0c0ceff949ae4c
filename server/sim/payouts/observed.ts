// Reads what the server has stored about the payouts of one creator.
import type { World } from '#server/testing/world.ts'
import type { PayoutCast } from './story.ts'

export interface StoredPayout {
  readonly id: string
  readonly number: number
  readonly month: string
  readonly state: 'requested' | 'held' | 'approved' | 'exported' | 'paid' | 'returned' | 'cancelled'
  readonly amount: number
  readonly fee: number
  readonly export_id: string | null
  readonly was_paid: boolean
}

export interface StoredFile {
  readonly id: string
  readonly voided: boolean
  /** Transfers, and whether all of them have a result. */
  readonly count: number
  readonly settled: boolean
  /** What was recorded that the bank took, the first record first. */
  readonly fees: readonly { readonly id: string; readonly fee: number }[]
  /** Sum of the account of the bank in entries of its payouts and of its fees, yen. */
  readonly bank: number
}

interface BalanceTask {
  readonly why: string
  readonly amount: number
}

export interface PayoutObserved {
  readonly payouts: readonly StoredPayout[]
  readonly files: readonly StoredFile[]
  /** Sums of the accounts of the ledger in entries of this creator, yen. */
  readonly ledger: Readonly<Record<string, number>>
  /** What the creator's charges have left, yen: those of days before the open month, and all. */
  readonly shares: { readonly all: number }
  /** The open task about the creator's balance; null without one. */
  readonly task: BalanceTask | null
  /** The open task about a balance older than six months; null without one. */
  readonly oldTask: BalanceTask | null
}

const state = `
  select
    (select coalesce(json_agg(json_build_object('id', id, 'number', number, 'month', month, 'state', state,
      'amount', amount, 'fee', fee, 'export_id', export_id, 'was_paid', paid_at is not null) order by number), '[]')
      from payouts where creator_id = $1) as payouts,
    (select coalesce(json_agg(json_build_object('id', x.id, 'voided', x.voided_at is not null, 'count', x.count,
      'settled', x.voided_at is null and not exists (select 1 from payouts p where p.export_id = x.id and p.state = 'exported'),
      'fees', (select coalesce(json_agg(json_build_object('id', b.id, 'fee', b.fee) order by b.position), '[]')
        from bank_fees b where b.export_id = x.id),
      'bank', (select coalesce(sum(l.amount), 0)::int from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
        left join payouts p on p.id = e.payout_id left join bank_fees b on b.id = e.bank_fee_id
        where x.id in (p.export_id, b.export_id)))), '[]')
      from payout_exports x where x.actor_id = any($2::uuid[])) as files,
    (select coalesce(json_object_agg(account, sum), '{}') from (
      select l.account, sum(l.amount)::int as sum from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where e.creator_id = $1 group by l.account) sums) as ledger,
    (select json_build_object('all', coalesce(sum(p.amount - p.refunded_amount
        - ((p.amount - p.refunded_amount) * p.fee_rate) / 10000), 0)::int)
      from payments p where p.creator_id = $1 and p.state in ('paid', 'refunded')) as shares,
    (select json_build_object('why', details->>'why', 'amount', (details->>'amount')::int) from operator_tasks
      where kind = 'clear_balance' and details->>'creator' = $1::text and done_at is null) as task,
    (select json_build_object('why', details->>'why', 'amount', (details->>'amount')::int) from operator_tasks
      where kind = 'old_balance' and details->>'creator' = $1::text and done_at is null) as "oldTask"`

export async function observePayouts(world: World, { creator, admins }: PayoutCast): Promise<PayoutObserved> {
  const adminIds = `{${admins.map((it) => it.id).join(',')}}`
  const { rows } = await world.database.executeSql(state, [creator.id, adminIds])
  return rows[0] as PayoutObserved
}
