// Declarations of where the owners of bank accounts live.
import type { StoredAccount } from '#contract/payouts/bank-account.ts'
import type { Residence } from '#contract/payouts/residence.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type BankAccountRow, findBankAccount, setResidence } from '#server/store/payouts/bank-accounts.ts'
import { lockUser } from '#server/store/people/people.ts'
import { holdAbroad } from './tax-check.ts'

type Declared = StoredAccount['residence']

export const residenceOf = ({
  residence,
  residenceAt,
}: Pick<BankAccountRow, 'residence' | 'residenceAt'>): Declared =>
  residence && residenceAt ? { is: residence, at: residenceAt.toISOString() } : null

/** Stores a declaration that is another one than before. The owner is locked before (`lockUser`). */
export async function declare(
  deps: Pick<Deps, 'clock'>,
  unit: Unit,
  { userId, residence: before }: BankAccountRow,
  residence: Residence,
): Promise<void> {
  if (before === residence) return
  await setResidence(unit.tx, userId, { residence, at: new Date(deps.clock()) })
  if (residence === 'abroad') await holdAbroad(deps, unit, userId)
}

/**
 * The declaration for an account that was stored without one.
 * @throws ApiError `conflict` without an account, or with another declaration: changing it needs the proof that the account needs
 */
export function declareFirst(deps: Deps, userId: string, residence: Residence): Promise<Declared> {
  return deps.transaction(async (unit) => {
    await lockUser(unit.tx, userId)
    const account = await findBankAccount(unit.tx, userId)
    if (!account || (account.residence !== null && account.residence !== residence))
      throw new ApiError('conflict')
    await declare(deps, unit, account, residence)
    const declared = await findBankAccount(unit.tx, userId)
    return declared ? residenceOf(declared) : null
  })
}
