// Finds the payment or person that an adjustment is about.
import { type SoldTexts, soldTextsOf } from '#server/store/posts/post-versions.ts'
import { dateOrNull } from '#server/store/statement.ts'
import type { AdjustedPayment } from '#contract/adjustments/adjustments.ts'
import { id as idSchema } from '#contract/ids.ts'
import { withEarlierRefs } from '#contract/payments/earlier-refs.ts'
import { email as emailSchema } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { personView } from '#server/services/people/person-view.ts'
import { listDisputesOf } from '#server/store/adjustments/disputes.ts'
import { listRefundsOf } from '#server/store/adjustments/refunds.ts'
import type { Db } from '#server/store/database.ts'
import { findPaymentId, listBoughtBy } from '#server/store/adjustments/found-payments.ts'
import { findPayments, type PaymentRow } from '#server/store/payments/payments.ts'
import { findPeople, findUser, findUserByEmail, type Person } from '#server/store/people/people.ts'
import { handleOwner } from '#server/store/people/profiles.ts'
import * as v from 'valibot'

/** Purchases of a person that one search shows. */
const SHOWN = 50

/** What was found; ids of payments newest first. */
export interface Found {
  readonly personId: string | undefined
  readonly paymentIds: readonly string[]
}

/** @param text an id, a provider's number, a receipt's number, a handle or an email address */
export async function search(db: Db, text: string): Promise<Found> {
  const paymentId = await findPaymentId(db, text)
  if (paymentId !== undefined) return { personId: undefined, paymentIds: [paymentId] }
  const personId = await findPerson(db, text)
  if (personId === undefined) return { personId, paymentIds: [] }
  return { personId, paymentIds: await listBoughtBy(db, personId, SHOWN) }
}

/** The id of a person by id, handle (with or without its @) or email address. */
export async function findPerson(db: Db, text: string): Promise<string | undefined> {
  const isId = v.safeParse(idSchema, text)
  if (isId.success) return (await findUser(db, isId.output))?.id
  const isEmail = v.safeParse(emailSchema, text)
  if (isEmail.success) return (await findUserByEmail(db, isEmail.output))?.id
  return handleOwner(db, text.replace(/^[@＠]/u, '').toLowerCase())
}

/** Views of payments in the order of their ids, without those that were never paid. */
export async function paymentViews(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<AdjustedPayment[]> {
  const payments = await findPayments(db, ids)
  const rows = ids.flatMap((it) => payments.get(it) ?? [])
  const people = await findPeople(
    db,
    rows.flatMap((it) => [it.userId, it.creatorId]),
  )
  const refunds = Map.groupBy(await listRefundsOf(db, ids), (it) => it.paymentId)
  const disputes = Map.groupBy(await listDisputesOf(db, ids), (it) => it.paymentId)
  const sold = await soldTextsOf(db, ids, [...disputes.keys()])
  return rows.flatMap((row) => {
    const view = viewOf(row, people)
    if (!view) return []
    return [
      {
        ...view,
        ...soldTextsIn(sold.get(row.id)),
        refunds: (refunds.get(row.id) ?? []).map((it) => ({
          id: it.id,
          amount: it.amount,
          reason: it.reason,
          created_at: it.createdAt.toISOString(),
          returned: it.isReturned,
        })),
        disputes: (disputes.get(row.id) ?? []).map((it) => ({
          id: it.id,
          state: it.state,
          amount: it.amount,
          fee: it.fee,
          reason: it.reason,
          opened_at: it.openedAt.toISOString(),
          decided_at: it.decidedAt?.toISOString() ?? null,
        })),
      },
    ]
  })
}

function viewOf(
  row: PaymentRow,
  people: ReadonlyMap<string, Person>,
): Omit<AdjustedPayment, 'refunds' | 'disputes' | 'sold_texts'> | undefined {
  const { state, paidAt } = row
  const [buyer, creator] = [people.get(row.userId), people.get(row.creatorId)]
  const isPaid = state === 'paid' || state === 'refunded' || state === 'disputed'
  if (!buyer || !creator || !isPaid || paidAt === null) return undefined
  return withEarlierRefs({
    id: row.id,
    kind: row.kind,
    post_id: row.postId,
    plan_id: row.planId,
    amount: row.amount,
    refunded_amount: row.refundedAmount,
    fee_rate: row.feeRate,
    state,
    paid_at: paidAt.toISOString(),
    charge_ref: row.chargeRef ?? '',
    buyer: personView(buyer),
    creator: personView(creator),
  })
}

/** What was bought and what is there now, where staff have to compare them. */
function soldTextsIn(sold: SoldTexts | undefined): Pick<AdjustedPayment, 'sold_texts'> {
  if (!sold) return {}
  const { bought, current, changedAt } = sold
  return { sold_texts: { bought, current, changed_at: dateOrNull(changedAt)?.toISOString() ?? null } }
}
