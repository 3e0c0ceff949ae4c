// Seals what a payout to a deleted account needs, for its person.
import * as v from 'valibot'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { LeavingMoney } from '#server/rules/email.ts'
import type { Db } from '#server/store/database.ts'
import { addDeparted } from '#server/store/payouts/balances.ts'
import { isOwedTo, payableTo } from '#server/store/payouts/bank-accounts.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import { findSeller } from '#server/store/sellers/sellers.ts'

const contact = v.object({
  email: v.string(),
  legalName: v.string(),
  legalNameKana: v.string(),
  /** To whom later statements are made out; '' without data as a seller. */
  sellerName: v.optional(v.string(), ''),
})
/** How the operator reaches a person, and the name that the holder of a bank account is compared with. */
export type PayeeContact = v.InferOutput<typeof contact>

/**
 * Before the rows of an account are erased: keeps what a payout needs, if the person has a balance or an open payout. The bank account
 * stays with it. Inside the transaction of the erasure.
 * @returns the balance and whether it is paid by itself; undefined without a balance
 */
export async function keepPayee(
  { secrets, clock }: { readonly secrets: Secrets; readonly clock: () => number },
  tx: Db,
  owner: { readonly id: string; readonly email: string },
): Promise<LeavingMoney | undefined> {
  if (!(await isOwedTo(tx, owner.id))) return undefined
  const payee = (await findPayees(tx, [owner.id])).get(owner.id)
  if (!payee) return undefined
  const { legalName, legalNameKana, suspendedAt } = payee
  const seller = await findSeller(tx, owner.id)
  const sellerName = seller ? openSeller({ secrets }, seller).name : ''
  const text = JSON.stringify({
    email: owner.email,
    legalName,
    legalNameKana,
    sellerName,
  } satisfies PayeeContact)
  await addDeparted(tx, {
    userId: owner.id,
    sealed: secrets.seal('departed-payee', Buffer.from(text), owner.id),
    isSuspended: suspendedAt !== null,
    departedAt: new Date(clock()),
  })
  return leavingMoney(tx, owner.id, suspendedAt === null && payee.account !== undefined)
}

/** @param isPayable whether a payout can be made of what is left */
export async function leavingMoney(
  db: Db,
  userId: string,
  isPayable: boolean,
): Promise<LeavingMoney | undefined> {
  const balance = await payableTo(db, userId)
  return balance === 0 ? undefined : { balance, isPaid: balance > 0 && isPayable }
}

/** @returns undefined when nothing was stored @throws if the text was changed, or sealed for another person */
export function openContact(
  { secrets }: { readonly secrets: Secrets },
  { userId, sealed }: { readonly userId: string; readonly sealed: string },
): PayeeContact | undefined {
  if (sealed === '') return undefined
  return v.parse(contact, JSON.parse(secrets.open('departed-payee', sealed, userId).toString()))
}
