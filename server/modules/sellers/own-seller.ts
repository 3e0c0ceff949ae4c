// Stores, shows and removes a creator's own data as a seller.
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { OwnSeller, OwnSellerBody } from '#contract/sellers/own-seller.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { openSeller, sealSeller } from '#server/services/sellers/sealed-seller.ts'
import { findOwnInfo } from '#server/store/accounts/own-info.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { lockUser } from '#server/store/people/people.ts'
import { findSeller, removeSeller, sellsAt, setSeller } from '#server/store/sellers/sellers.ts'
import { answerWaiting, sellerUrl } from './answer.ts'

/** Whether a person may store data: adults with an approved identity check, as for plans. */
async function mayStore({ db, clock }: Deps, person: Viewer): Promise<OwnSeller['may_store']> {
  if (ageOn(person.birthDate, clock()) < MIN_AGE) return 'under_age'
  return (await isIdentified(db, person.id)) ? 'yes' : 'identity_required'
}

export async function ownSellerOf(deps: Deps, viewer: Viewer): Promise<OwnSeller> {
  const { db } = deps
  const row = await findSeller(db, viewer.id)
  return {
    stored: row
      ? { display: row.display, stored_at: row.storedAt.toISOString(), ...openSeller(deps, row) }
      : null,
    may_store: await mayStore(deps, viewer),
    sells: await sellsAt(db, viewer.id, deps.clock()),
    legal_name: (await findOwnInfo(db, viewer.id))?.legalName ?? '',
  }
}

/** Stores the data, and answers requests that waited for them. @throws ApiError `under_age`, `identity_required` */
export async function storeSeller(deps: Deps, owner: Viewer, body: OwnSellerBody): Promise<void> {
  const may = await mayStore(deps, owner)
  if (may !== 'yes') throw new ApiError(may)
  const { display, registration_number: number, registered_on: day, ...data } = body
  await deps.transaction(async ({ tx, email }) => {
    const now = deps.clock()
    await lockUser(tx, owner.id)
    const earlier = await findSeller(tx, owner.id)
    const { registration_number, registered_on } =
      number === undefined && earlier
        ? openSeller(deps, earlier)
        : { registration_number: number ?? '', registered_on: number ? (day ?? '') : '' }
    const sealed = sealSeller(deps, owner.id, { ...data, registration_number, registered_on })
    await setSeller(tx, { userId: owner.id, display, sealed, storedAt: new Date(now) })
    const url = sellerUrl(deps, owner.id)
    await email(owner, { is: 'seller_stored', published: display === 'published', at: now, url })
  })
  await answerWaiting(deps, owner.id)
}

/** Removes the data and emails their owner. */
export async function dropSeller(deps: Deps, owner: Viewer): Promise<void> {
  await deps.transaction(async ({ tx, email }) => {
    const now = deps.clock()
    if (await removeSeller(tx, owner.id)) await email(owner, { is: 'seller_removed', at: now })
  })
}
