// What an admin does about balances that no payout pays: contact, request, clearing.
import type { BodyOf } from '#contract/endpoint.ts'
import type { clearBalance, StrandedBalance } from '#contract/payouts/balances.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { balanceOf } from '#server/rules/money/sales.ts'
import { clearingLines, isClearing } from '#server/rules/payouts/clearing.ts'
import { isReleasable } from '#server/rules/payouts/last-payout.ts'
import { oldMonth } from '#server/rules/payouts/old-balance.ts'
import { openContact, type PayeeContact } from '#server/services/people/departed-payee.ts'
import { refuseOwn } from '#server/services/billing/money-door.ts'
import { perform } from '#server/services/billing/perform.ts'
import { bookEntry } from '#server/services/payments/book.ts'
import { personView } from '#server/services/people/person-view.ts'
import type { Db } from '#server/store/database.ts'
import {
  addClearing,
  hasClearing,
  listStranded,
  type Place,
  releaseDeparted,
  type StrandedRow,
} from '#server/store/payouts/balances.ts'
import { entriesOf } from '#server/store/payments/ledger.ts'
import { removeUnneededAccounts } from '#server/store/payouts/bank-accounts.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import { findPeople, lockUser } from '#server/store/people/people.ts'
import { balanceParts } from '#server/store/sales/sums.ts'
import type { By } from './advance.ts'
import { departedStep, settleDeparted } from './departed.ts'
import { settleOld } from './old-balances.ts'

/** Balances of one page. */
const PAGE = 50
/** Later than every entry. */
const ALWAYS = Date.parse('2100-01-01T00:00:00+09:00')

export async function strandedPage(
  { db, clock }: Deps,
  after: Place | undefined,
): Promise<{ readonly balances: StrandedBalance[]; readonly last: StrandedRow | undefined }> {
  const rows = await listStranded(db, oldMonth(clock()), after, PAGE + 1)
  const shown = rows.slice(0, PAGE)
  const ids = shown.map((it) => it.creatorId)
  const [people, payees] = [await findPeople(db, ids), await findPayees(db, ids)]
  const balances = shown.flatMap(({ creatorId, total, old, reasons }): StrandedBalance[] => {
    const [person, payee] = [people.get(creatorId), payees.get(creatorId)]
    if (!person || !payee) return []
    const isGone = payee.state === 'gone'
    return [
      {
        creator: personView(person),
        creator_state: payee.state,
        total,
        old,
        reasons: [...reasons],
        has_contact: (payee.departed?.sealed ?? '') !== '',
        can_request: isGone && total > 0 && payee.account !== undefined && reasons.some(isReleasableReason),
        can_clear: isGone || payee.state === 'suspended',
      },
    ]
  })
  return { balances, last: rows.length > PAGE ? shown.at(-1) : undefined }
}

const isReleasableReason = (it: StrandedRow['reasons'][number]): boolean =>
  it !== 'left' && it !== 'old' && isReleasable(it)

/** @throws ApiError `not_found` */
export async function payeeContact(deps: Deps, creatorId: string, by: By): Promise<PayeeContact> {
  const departed = (await findPayees(deps.db, [creatorId])).get(creatorId)?.departed
  const contact = departed ? openContact(deps, departed) : undefined
  if (!contact) throw new ApiError('not_found')
  await deps.audit({ ...by, act: 'balance.contact', subjectKind: 'user', subjectId: creatorId })
  return contact
}

/** @throws ApiError `not_found`, `conflict` */
export function releaseBalance(deps: Deps, creatorId: string, by: By): Promise<void> {
  return deps.transaction(async (unit) => {
    const { tx } = unit
    await lockUser(tx, creatorId)
    const found = await departedStep(tx, creatorId, deps.clock())
    if (!found) throw new ApiError('not_found')
    if (!isReleasable(found.step)) throw new ApiError('conflict')
    await releaseDeparted(tx, creatorId, deps.clock())
    await settleDeparted(deps, unit, creatorId)
    unit.audit({
      ...by,
      act: 'balance.request',
      subjectKind: 'user',
      subjectId: creatorId,
      detail: { total: found.total },
    })
  })
}

const totalOf = async (tx: Db, creatorId: string): Promise<number> =>
  balanceOf(await balanceParts(tx, creatorId, ALWAYS)).total

type Clearing = BodyOf<typeof clearBalance>

/** @returns the balance afterwards, and what was booked @throws ApiError `not_found`, `forbidden`, `conflict` */
export async function clear(deps: Deps, creatorId: string, body: Clearing, by: By) {
  const { id, is: kind, amount, total: shown } = body
  await refuseOwn(deps.db, by, [creatorId])
  const second = {
    door: 'clearBalance',
    about: [creatorId, kind, amount, shown],
    amount,
    paymentId: null,
  } as const
  let total = 0
  const booked = await perform(deps, {
    by,
    isPreview: body.preview ?? false,
    // A repeat of one that is recorded changes nothing.
    ...(!(await hasClearing(deps.db, id)) && { second }),
    work: (unit) => clearInUnit(deps, unit, creatorId, body, by),
    async booked(tx) {
      total = await totalOf(tx, creatorId)
      return entriesOf(tx, { clearingId: id })
    },
  })
  return { total, booked }
}

async function clearInUnit(deps: Deps, unit: Unit, creatorId: string, body: Clearing, by: By): Promise<void> {
  const now = deps.clock()
  const { tx } = unit
  await lockUser(tx, creatorId)
  const payee = (await findPayees(tx, [creatorId])).get(creatorId)
  if (payee?.state !== 'gone' && payee?.state !== 'suspended') throw new ApiError('not_found')
  const { id, is: kind, amount, reason } = body
  const row = { id, creatorId, kind, amount, reason, actorId: by.actorId, createdAt: new Date(now) }
  const before = await totalOf(tx, creatorId)
  if (!(await addClearing(tx, row))) return
  if (before !== body.total || !isClearing({ kind, amount }, before)) throw new ApiError('conflict')
  const lines = clearingLines({ creatorId, kind, amount })
  await bookEntry(unit, { cause: 'balance_cleared', clearingId: id, creatorId, lines }, now)
  await settleDeparted(deps, unit, creatorId)
  await settleOld(deps, unit, creatorId)
  await removeUnneededAccounts(tx)
  const detail = { kind, amount, clearing: id }
  unit.audit({ ...by, act: 'balance.clear', subjectKind: 'user', subjectId: creatorId, detail })
}
