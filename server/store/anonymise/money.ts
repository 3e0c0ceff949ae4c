// Rules of payments, memberships and adjustments, with those of the ledger and payouts.
import { receiptIssues } from '#server/store/tables/payments.ts'
import { sql } from 'drizzle-orm'
import * as adjustments from '#server/store/tables/adjustments.ts'
import { membershipDays, memberships } from '#server/store/tables/memberships.ts'
import * as sandbox from '#server/store/tables/payment-sandbox.ts'
import * as paid from '#server/store/tables/payments.ts'
import { ledgerRules, payoutRules } from './ledger.ts'
import { emptied, made, rows, type TableRules } from './rules.ts'

/** Numbers of the provider are replaced as in its charges; any further key is removed. */
const taskDetails = sql`jsonb_strip_nulls(jsonb_build_object(
  'gid', pg_temp.token(details ->> 'gid'), 'acid', pg_temp.token(details ->> 'acid'),
  'amount', case when jsonb_typeof(details -> 'amount') = 'number' then details -> 'amount' end,
  'why', pg_temp.code(details ->> 'why'), 'provider', pg_temp.code(details ->> 'provider'),
  'refund', pg_temp.new_id(pg_temp.read_id(details ->> 'refund')),
  'creator', pg_temp.new_id(pg_temp.read_id(details ->> 'creator'))))`

const paymentRules: readonly TableRules[] = [
  rows(paid.payments, {
    id: 'id',
    userId: 'id',
    creatorId: 'id',
    kind: 'keep',
    postId: 'id',
    planId: 'id',
    membershipId: 'id',
    periodFrom: 'keep',
    periodUntil: 'keep',
    amount: 'keep',
    feeRate: 'keep',
    state: 'keep',
    provider: 'code',
    chargeRef: 'token',
    sessionId: 'token',
    authId: 'token',
    chargeDay: 'keep',
    networkMac: 'empty',
    createdAt: 'keep',
    expiresAt: 'keep',
    paidAt: 'keep',
    refundedAt: 'keep',
    refundedAmount: 'keep',
  }),
  // Queries as the provider sent them, with addresses.
  emptied(paid.paymentNotices),
  rows(paid.charges, {
    id: 'id',
    provider: 'code',
    chargeRef: 'token',
    paymentId: 'id',
    amount: 'keep',
    isSurplus: 'keep',
    surplusReason: 'keep',
    fileDigest: 'token',
    chargedAt: 'keep',
  }),
  rows(paid.receipts, {
    paymentId: 'id',
    number: 'number',
    addressee: 'text',
    issuedAt: 'keep',
    lastIssuedAt: 'keep',
    issues: 'keep',
  }),
  rows(receiptIssues, {
    id: 'id',
    paymentId: 'id',
    issue: 'keep',
    amount: 'keep',
    refundedAmount: 'keep',
    issuedAt: 'keep',
    sealed: 'empty',
    addressee: 'text',
  }),
  rows(paid.receiptYears, { year: 'keep', last: 'keep' }),
  rows(paid.operatorTasks, {
    id: 'id',
    kind: 'keep',
    paymentId: 'id',
    details: made(taskDetails),
    dueAt: 'keep',
    createdAt: 'keep',
    doneAt: 'keep',
  }),
  rows(memberships, {
    id: 'id',
    userId: 'id',
    creatorId: 'id',
    planId: 'id',
    price: 'keep',
    nextPlanId: 'id',
    nextPrice: 'keep',
    state: 'keep',
    chargeDay: 'keep',
    provider: 'code',
    recurringRef: 'token',
    chargedAmount: 'keep',
    informedPrice: 'keep',
    paidUntil: 'keep',
    joinedAt: 'keep',
    stoppedAt: 'keep',
    endedAt: 'keep',
    why: 'keep',
  }),
  rows(membershipDays, {
    id: 'keep',
    planId: 'id',
    day: 'keep',
    began: 'keep',
    ended: 'keep',
    isFolded: 'keep',
  }),
  // Forms of the practice provider, as they were filled in.
  ...[sandbox.sandboxCharges, sandbox.sandboxRecurring, sandbox.sandboxNotices, sandbox.sandboxBehaviour].map(
    emptied,
  ),
]

const adjustmentRules: readonly TableRules[] = [
  rows(adjustments.refunds, {
    id: 'id',
    paymentId: 'id',
    chargeId: 'id',
    amount: 'keep',
    reason: 'text',
    actorId: 'id',
    createdAt: 'keep',
  }),
  rows(adjustments.disputes, {
    id: 'id',
    paymentId: 'id',
    chargeId: 'id',
    state: 'keep',
    amount: 'keep',
    fee: 'keep',
    reason: 'text',
    openedAt: 'keep',
    decidedAt: 'keep',
  }),
  rows(adjustments.feeRates, {
    id: 'id',
    creatorId: 'id',
    firstDay: 'keep',
    rate: 'keep',
    reason: 'text',
    actorId: 'id',
    createdAt: 'keep',
  }),
  rows(adjustments.complimentary, {
    id: 'id',
    userId: 'id',
    creatorId: 'id',
    planId: 'id',
    paid: 'keep',
    reason: 'text',
    actorId: 'id',
    createdAt: 'keep',
    endsAt: 'keep',
  }),
  rows(adjustments.settlements, {
    id: 'id',
    day: 'keep',
    received: 'keep',
    fee: 'keep',
    reference: 'text',
    actorId: 'id',
    recordedAt: 'keep',
    reversedAt: 'keep',
    reversalReason: 'text',
    reversedBy: 'id',
  }),
  rows(adjustments.balanceClearings, {
    id: 'id',
    creatorId: 'id',
    kind: 'keep',
    amount: 'keep',
    reason: 'text',
    actorId: 'id',
    createdAt: 'keep',
  }),
]

export const moneyRules: readonly TableRules[] = [
  ...paymentRules,
  ...adjustmentRules,
  ...ledgerRules,
  ...payoutRules,
]
