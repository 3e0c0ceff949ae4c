// Differences of money, planted by SQL, and the kinds by which a check finds them.

/** Of a database without triggers: a restore, a hand, or another program has changed it. */
export type PlantedDifference = readonly [kind: string, what: string, statement: string]

const first = (table: string, where = 'true') =>
  `(select id from ${table} where ${where} order by id limit 1)`
const sale = first('charges', 'not is_surplus')

/** Kind of the difference, what is wrong, and the statement that plants it. */
export const plantedDifferences: readonly PlantedDifference[] = [
  ['entry.sum', 'a line is missing', `delete from ledger_lines where id = ${first('ledger_lines')}`],
  [
    'entry.creator',
    'a sale is of nobody',
    `update ledger_entries set creator_id = null where charge_id = ${sale}`,
  ],
  [
    'ledger.charge',
    'a yen went from the creator to the platform',
    `update ledger_lines set amount = amount + case account when 'creator_payable' then 1 else -1 end
     where entry_id = ${first('ledger_entries', `cause = 'sale'`)} and account in ('creator_payable', 'platform_fee')`,
  ],
  [
    'ledger.charge',
    'a refund is booked twice',
    `with e as (insert into ledger_entries (id, at, cause, creator_id, charge_id) select gen_random_uuid(), at, cause, creator_id, charge_id
       from ledger_entries where cause = 'refund' limit 1 returning id, charge_id)
     insert into ledger_lines (id, entry_id, account, creator_id, amount) select gen_random_uuid(), e.id, account, l.creator_id, amount
       from e, ledger_lines l join ledger_entries o on o.id = l.entry_id and o.cause = 'refund'
       where o.charge_id = e.charge_id and o.refund_id is not null`,
  ],
  [
    'ledger.charge',
    'returned money is not booked',
    `delete from ledger_lines where entry_id in (select id from ledger_entries where cause = 'refund_paid')`,
  ],
  [
    'ledger.charge',
    'the platform does not bear a dispute that it covered',
    `delete from ledger_lines where entry_id in (select id from ledger_entries where cause = 'dispute_covered')`,
  ],
  ['ledger.payout', 'a payout is of another amount', 'update payouts set amount = amount + 1'],
  ['ledger.payout', 'a paid payout is cancelled', `update payouts set state = 'cancelled'`],
  [
    'ledger.complimentary',
    'a gift pays its creator more',
    'update complimentary_memberships set paid = paid + 1',
  ],
  [
    'ledger.settlement',
    'a settlement is reversed in its row alone',
    'update settlements set reversed_at = now()',
  ],
  [
    'ledger.statement',
    'the tax of a statement is not booked',
    `delete from ledger_entries where cause = 'fee_tax_rounding'`,
  ],
  [
    'balance',
    'a line is of another creator',
    `update ledger_lines set creator_id = ${first('users', 'true')} where account = 'creator_payable'`,
  ],
  ['closed_day', 'the sums of a day are others', 'update ledger_days set net = net + 1, gross = gross + 1'],
  [
    'statement',
    'a statement has another balance',
    'update statements set net = net + 1, closing = closing + 1, plans = plans + 1',
  ],
  [
    'statement.missing',
    'a statement is missing',
    `update statements set creator_id = (select id from users where id not in (select creator_id from statements) limit 1)`,
  ],
  [
    'payment.refunded_amount',
    'a lost dispute is stored without the part that was refunded before',
    `update payments set refunded_amount = refunded_amount - 1 where state = 'refunded'`,
  ],
  [
    'payment.state',
    'a refunded payment is paid',
    `update payments set state = 'paid' where state = 'refunded'`,
  ],
  [
    'payment.charge',
    'a payment has another charge',
    `update payments set charge_gid = 'other' where state = 'paid'`,
  ],
  [
    'payment.charge',
    'a charge is of another amount',
    `update charges set amount = amount + 1 where id = ${sale}`,
  ],
  [
    'charge.surplus',
    'a charge that paid has a reason why not',
    `update charges set surplus_reason = 'gone' where id = ${sale}`,
  ],
  [
    'refund.task',
    'money that is owed has no task',
    `delete from operator_tasks where kind = 'refund_surplus'`,
  ],
  [
    'notice.charge',
    'a notice has no charge',
    `update payment_notices set gid = 'other' where outcome = 'granted'`,
  ],
  [
    'provider.charge',
    'the provider took another amount',
    `insert into sandbox_charges (gid, fields, payment_id, amount, state, created_at, charged_at, provider)
     select gid, '{}', payment_id::text, amount + 1, 'paid', charged_at, charged_at, provider from charges`,
  ],
  [
    'provider.refund',
    'the provider returned less',
    `insert into sandbox_charges (gid, fields, payment_id, amount, state, created_at, charged_at, provider)
     select gid, '{}', payment_id::text, amount, 'paid', charged_at, charged_at, provider from charges`,
  ],
  [
    'provider.unrecorded',
    'the provider took a charge that is nowhere',
    `insert into sandbox_charges (gid, fields, payment_id, amount, state, created_at, charged_at) values
     ('lost', '{}', '-', 500, 'paid', '2026-11-05', '2026-11-05')`,
  ],
  ['purchase', 'a refunded purchase is open', 'update post_purchases set revoked_at = null'],
  ['purchase', 'a paid purchase is closed', 'update post_purchases set revoked_at = now()'],
  ['purchase', 'a paid purchase is missing', 'delete from post_purchases where revoked_at is null'],
  ['plan.row', 'a plan is open without a source', 'update plan_members set membership_id = null'],
  [
    'plan.row',
    'a plan stays open after its membership',
    `update memberships set state = 'ended', ended_at = '2026-12-01', why = 'cancelled'`,
  ],
  ['plan.closed', 'a plan that is paid is closed', `update plan_members set ends_at = '2026-11-20'`],
  ['plan.closed', 'a cheaper plan is closed', 'delete from plan_members where is_included'],
  [
    'plan.gift',
    'a gift ends on another day',
    `update complimentary_grants set ends_at = ends_at - interval '1 day'`,
  ],
  ['plan.gift', 'a gift opens nothing', 'delete from complimentary_grants'],
  [
    'plan.month',
    'a paid month counts for a plan that it did not open',
    `with other as (insert into plans (id, creator_id, name, price, created_at)
       select gen_random_uuid(), creator_id, '別のプラン', 9000, '2026-11-01' from plans limit 1 returning id)
     update payments set opened_plans = opened_plans || (select id from other) where opened_plans is not null`,
  ],
  [
    'plan.month',
    'a paid month does not count for its plan',
    `update payments set opened_plans = '{}' where opened_plans is not null`,
  ],
  ['membership.month', 'a membership is of another price', 'update memberships set price = price + 1'],
  [
    'membership.month',
    'a membership runs longer than it is paid',
    `update memberships set paid_until = paid_until + interval '1 day'`,
  ],
  [
    'membership.state',
    'a membership runs although its month is refunded',
    `update payments set state = 'refunded', refunded_at = paid_at, refunded_amount = amount where membership_id is not null`,
  ],
  ['membership.state', 'a membership that runs has an end', `update memberships set ended_at = now()`],
  ['payout.state', 'a paid payout is in no file', 'update payouts set export_id = null'],
  ['payout.file', 'a file has another sum', 'update payout_exports set total = total + 1'],
  [
    'payout.covered',
    'a payout was requested before its sales',
    `update ledger_entries set at = '2026-11-02' where cause = 'payout'`,
  ],
  [
    'actor.refund',
    'the seller refunds',
    `update refunds r set actor_id = p.creator_id from payments p where p.id = r.payment_id`,
  ],
  [
    'actor.dispute',
    'the seller decides the dispute of a sale',
    `update audit_log a set actor_id = p.creator_id from payments p where p.id = a.subject_id and a.act like 'dispute.%'`,
  ],
  [
    'actor.complimentary',
    'the creator gives the own plan',
    'update complimentary_memberships set actor_id = creator_id',
  ],
  ['actor.payout', 'the creator approves the own payout', 'update payouts set approved_by = creator_id'],
  [
    'actor.payout_file',
    'who approved makes the file',
    'update payouts p set approved_by = x.actor_id from payout_exports x',
  ],
  [
    'actor.fee_rate',
    'the creator sets the own rate',
    `insert into fee_rates (id, creator_id, first_day, rate, reason, actor_id, created_at)
     select gen_random_uuid(), creator_id, '2027-01-01', 0, '', creator_id, '2026-12-03' from payouts limit 1`,
  ],
  [
    'actor.clearing',
    'the creator clears the own balance',
    `insert into balance_clearings (id, creator_id, kind, amount, reason, actor_id, created_at)
     select gen_random_uuid(), creator_id, 'paid', 1, '', creator_id, '2026-12-03' from payouts limit 1`,
  ],
  ['ledger.bank_fee', 'a record of what the bank took is another one', 'update bank_fees set fee = fee + 1'],
  [
    'ledger.bank_fee',
    'what the bank took is not booked',
    `delete from ledger_entries where cause = 'bank_fee'`,
  ],
  [
    'payout.bank_fee',
    'a record of what the bank took is lost',
    'update bank_fees set position = position + 10',
  ],
  [
    'ledger.statement',
    'the tax of transfer fees is not booked',
    `delete from ledger_entries where cause = 'transfer_fee_tax'`,
  ],
  ['statement', 'a statement lacks a transfer fee', 'update statements set transfer_fee = transfer_fee + 1'],
  [
    'ledger.clearing',
    'a clearing is not booked',
    `insert into balance_clearings (id, creator_id, kind, amount, reason, created_at)
     select gen_random_uuid(), creator_id, 'borne', 1, '', '2026-12-03' from payouts limit 1`,
  ],
]

/** Emails of which one amount is changed: what the ledger has, by the sale or row that they are about. */
export const plantedAmounts = [
  [
    'email.purchase',
    `update ledger_lines set amount = amount * 2 where entry_id in (select id from ledger_entries where cause = 'sale')`,
  ],
  [
    'email.membership_joined',
    `update ledger_lines set amount = amount * 2 where entry_id in (select id from ledger_entries where cause = 'sale')`,
  ],
  [
    'email.refund',
    `update ledger_lines set amount = amount * 2 where entry_id in (select id from ledger_entries where cause = 'refund')`,
  ],
  [
    'email.sale_refunded',
    `update ledger_lines set amount = amount * 2 where entry_id in (select id from ledger_entries where cause = 'refund')`,
  ],
  [
    'email.surplus',
    `update ledger_lines set amount = amount * 2 where entry_id in (select id from ledger_entries where cause = 'surplus')`,
  ],
  [
    'email.dispute_won',
    `update ledger_lines set amount = amount * 2 where entry_id in (select id from ledger_entries where cause = 'dispute_won')`,
  ],
  ['email.payout_paid', 'update payouts set amount = amount + 1'],
  ['email.statement', 'update statements set net = net + 1, closing = closing + 1, plans = plans + 1'],
] as const
