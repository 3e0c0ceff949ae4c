// Compares a list of charges that staff have uploaded, or shows what it would apply.
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { reconcileByAdmin } from '#contract/payments/operator-tasks.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  type ActedBy,
  askSecond,
  needsSecond,
  refuseOwn,
  type Seconded,
  takeAsks,
} from '#server/services/billing/money-door.ts'
import { type LostCharge, type UploadedList, uploadedList } from '#server/services/billing/reconcile.ts'
import { personView } from '#server/services/people/person-view.ts'
import { sumUnsettled } from '#server/store/payments/unsettled.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'

type Compared = ReplyOf<typeof reconcileByAdmin>

/**
 * Compares an uploaded list. What came from lists and is in no settlement yet counts for the limit of one member of staff, so that
 * parts of a list have that of the whole.
 * @throws ApiError `invalid`, `unavailable`, `forbidden`
 */
export async function compareUpload(
  deps: Deps,
  { text, preview: isPreview }: BodyOf<typeof reconcileByAdmin>,
  by: ActedBy,
): Promise<Compared> {
  const { db, transaction, clock } = deps
  const list = uploadedList(deps, text)
  if (list === 'unreadable') throw new ApiError('invalid', { text: 'malformed' })
  if (!list) throw new ApiError('unavailable')
  const { charges, ...counts } = await list.preview()
  const people = charges.flatMap((it) => [it.userId, it.creatorId])
  await refuseOwn(db, by, people)
  const second = await secondedOf(deps, charges)
  const waits = await needsSecond(deps, by, second)
  const known = await findPeople(db, people)
  const shown = charges.map((it) => viewOf(it, known))
  if (isPreview || waits) {
    if (!isPreview) await transaction((unit) => askSecond(unit, by, second, clock()))
    return { ...counts, charges: shown, done: false, waits }
  }
  await transaction((unit) => takeAsks(unit, by, second, clock()))
  return { ...(await apply(deps, list, by)), charges: shown, done: true, waits: false }
}

async function secondedOf({ db }: Deps, charges: readonly LostCharge[]): Promise<Seconded> {
  const sum = sumOf(charges)
  const about = charges.map((it) => `${it.paymentId} ${it.chargeRef} ${it.amount}`).toSorted()
  const amount = sum === 0 ? 0 : sum + (await sumUnsettled(db))
  return { door: 'reconcileByAdmin', about, amount, paymentId: charges[0]?.paymentId ?? null }
}

const sumOf = (charges: readonly LostCharge[]) => charges.reduce((sum, it) => sum + it.amount, 0)

/** Each applied payment has an entry of its own in the audit log, and so has the list. */
async function apply({ audit }: Deps, { apply: run, digest: file }: UploadedList, by: ActedBy) {
  const { charges, ...counts } = await run((unit, { paymentId, amount }, charge) => {
    const subject = { subjectKind: 'payment', subjectId: paymentId } as const
    unit.audit({ ...by, act: 'reconcile.apply', ...subject, detail: { charge, amount, file } })
  })
  const subject = { subjectKind: 'user', subjectId: by.actorId } as const
  await audit({ ...by, act: 'reconcile', ...subject, detail: { ...counts, amount: sumOf(charges), file } })
  return counts
}

function viewOf(
  it: LostCharge,
  people: ReadonlyMap<string, Person>,
): NonNullable<Compared['charges']>[number] {
  const [buyer, creator] = [people.get(it.userId), people.get(it.creatorId)]
  return {
    charge_ref: it.chargeRef,
    amount: it.amount,
    is_surplus: it.isSurplus,
    payment_id: it.paymentId,
    buyer: buyer ? personView(buyer) : null,
    creator: creator ? personView(creator) : null,
  }
}
