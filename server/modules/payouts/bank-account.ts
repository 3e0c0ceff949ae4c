// Stores, replaces and removes a creator's bank account.
import { MIN_AGE } from '#contract/limits.ts'
import type { BankAccountBody, NameCheck, StoredAccount } from '#contract/payouts/bank-account.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { heldUntilOf, isTransferable, maskedNumber, nameCheckOf } from '#server/rules/payouts/bank-account.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import {
  type BankAccountRow,
  findBankAccount,
  findReviewedKana,
  hadBankAccount,
  removeBankAccountOf,
  setBankAccount,
  setNameCheck,
} from '#server/store/payouts/bank-accounts.ts'
import { lockUser } from '#server/store/people/people.ts'
import { settleOld } from './old-balances.ts'
import { declare, residenceOf } from './residence.ts'
import { holdAbroad } from './tax-check.ts'
import { openAccount, sealAccount } from './sealed-account.ts'

/** Whether a person may store an account: adults with an approved identity check, as for plans. */
export async function mayStore(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  person: Viewer,
): Promise<'yes' | 'identity_required' | 'under_age'> {
  if (ageOn(person.birthDate, clock()) < MIN_AGE) return 'under_age'
  return (await isIdentified(db, person.id)) ? 'yes' : 'identity_required'
}

/** The account as its owner sees it; null without one. */
export async function accountViewOf(deps: Deps, userId: string): Promise<StoredAccount | null> {
  const row = await findBankAccount(deps.db, userId)
  if (!row) return null
  const place = await deps.banks.find(row.bankCode, row.branchCode)
  const isHeld = row.heldUntil !== null && row.heldUntil.getTime() > deps.clock()
  return {
    bank: { code: row.bankCode, name: place?.bank.name ?? '' },
    branch: { code: row.branchCode, name: place?.branch.name ?? '' },
    type: row.type,
    last_digits: row.lastDigits,
    name_check: row.nameCheck,
    changed_at: row.changedAt.toISOString(),
    held_until: isHeld ? (row.heldUntil?.toISOString() ?? null) : null,
    residence: residenceOf(row),
  }
}

/**
 * Stores an account, emails its owner, and requests the payout of a balance that has waited for it for six months. The same account again
 * only compares the holder again, and stores another residence.
 * @throws ApiError `validation_required`, `under_age`, `identity_required`; `invalid` with fields
 */
export async function storeAccount(deps: Deps, owner: Viewer, body: BankAccountBody): Promise<void> {
  validatedOf(owner, deps.clock())
  const may = await mayStore(deps, owner)
  if (may !== 'yes') throw new ApiError(may)
  const place = await deps.banks.find(body.bank_code, body.branch_code)
  if (!place) throw new ApiError('invalid', { branch_code: 'unknown_branch' })
  if (!isTransferable(body.holder)) throw new ApiError('invalid', { holder: 'account_name' })
  await deps.transaction(async (unit) => {
    // Of two requests at once the second is a change.
    await lockUser(unit.tx, owner.id)
    const before = await findBankAccount(unit.tx, owner.id)
    const nameCheck = nameCheckOf(body.holder, await findReviewedKana(unit.tx, owner.id))
    if (before && isSame(deps, before, body)) {
      await setNameCheck(unit.tx, owner.id, nameCheck)
      return declare(deps, unit, before, body.residence)
    }
    const isFirst = !(await hadBankAccount(unit.tx, owner.id))
    const row = newRow(deps, owner.id, body, { nameCheck, isFirst })
    await setBankAccount(unit.tx, row)
    if (body.residence === 'abroad') await holdAbroad(deps, unit, owner.id)
    await tell(deps, unit, owner, row, `${place.bank.name} ${place.branch.name}`)
    await settleOld(deps, unit, owner.id)
  })
}

function isSame(deps: Deps, row: BankAccountRow, body: BankAccountBody): boolean {
  if (row.bankCode !== body.bank_code || row.branchCode !== body.branch_code || row.type !== body.type)
    return false
  const { number, holder } = openAccount(deps, row)
  return number === body.number && holder === body.holder
}

function newRow(
  deps: Deps,
  userId: string,
  body: BankAccountBody,
  { nameCheck, isFirst }: { readonly nameCheck: NameCheck; readonly isFirst: boolean },
): BankAccountRow {
  const now = deps.clock()
  const heldUntil = heldUntilOf(isFirst, now)
  const { number, holder } = body
  return {
    userId,
    bankCode: body.bank_code,
    branchCode: body.branch_code,
    type: body.type,
    lastDigits: number.slice(-3),
    sealed: sealAccount(deps, userId, { number, holder }),
    nameCheck,
    changedAt: new Date(now),
    heldUntil: heldUntil === null ? null : new Date(heldUntil),
    residence: body.residence,
    residenceAt: new Date(now),
  }
}

function tell(deps: Deps, unit: Unit, owner: Viewer, row: BankAccountRow, place: string): Promise<void> {
  return unit.email(owner, {
    is: 'bank_account_stored',
    place,
    number: maskedNumber(row.lastDigits),
    at: deps.clock(),
    heldUntil: row.heldUntil?.getTime() ?? null,
  })
}

/** Removes the account and emails its owner. @throws ApiError `validation_required` */
export async function removeAccount(deps: Deps, owner: Viewer): Promise<void> {
  const now = deps.clock()
  validatedOf(owner, now)
  await deps.transaction(async ({ tx, email }) => {
    await lockUser(tx, owner.id)
    if (await removeBankAccountOf(tx, owner.id, now))
      await email(owner, { is: 'bank_account_removed', at: now })
  })
}
