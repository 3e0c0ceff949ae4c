// Makes the transfer file of approved payouts, and voids one that the bank refused.
import type { LeftOut } from '#contract/payouts/admin-payouts.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { isBankDay } from '#server/rules/payouts/bank-days.ts'
import {
  type Requester,
  type Transfer,
  type WrittenFile,
  writeTransferFile,
} from '#server/rules/payouts/transfer-file.ts'
import {
  addExport,
  emptyExports,
  findExport,
  lockExport,
  lockPayoutsOf,
  setVoided,
} from '#server/store/payouts/exports.ts'
import { lockApproved, setPayout } from '#server/store/payouts/payouts.ts'
import { advanceLocked, type By } from './advance.ts'
import { openAccount } from './sealed-account.ts'
import { examine, type Examined } from './stops.ts'

/** Payouts that one file examines; the next file takes the rest. */
const MOST = 2000
/** A file is stored for so long after it was made, and until each of its payouts has a result, ms. */
const STORED_MS = 30 * 24 * 3600_000

export interface MadeFile {
  readonly id: string
  readonly count: number
  /** Yen. */
  readonly total: number
  readonly left_out: LeftOut[]
}

/**
 * Makes the transfer file of the approved payouts that are due on a day or before, without those that have a stop; in the same
 * transaction each of them is exported, so that no payout is in two files.
 * @throws ApiError `unavailable`, `conflict`, `invalid` with `day`, or with a payout when no other one is left
 */
export async function makeTransferFile(
  deps: Deps,
  { id, day }: { readonly id: string; readonly day: string },
  by: By,
): Promise<MadeFile> {
  const known = await findExport(deps.db, id)
  if (known?.voidedAt) throw new ApiError('conflict')
  if (known) return { id, count: known.count, total: known.total, left_out: [...known.leftOut] }
  if (!isOpen(day)) throw new ApiError('invalid', { day: 'malformed' })
  const requester = await requesterOf(deps)
  return deps.transaction(async (unit) => {
    const approved = await lockApproved(unit.tx, day, MOST)
    const examined = await examine(deps, unit.tx, approved, by.actorId)
    const { file, exported, leftOut } = await written(deps, requester, day, examined)
    const { count, total } = file
    const row = {
      id,
      actorId: by.actorId,
      day,
      count,
      total,
      sealed: deps.secrets.seal('transfer-file', Buffer.from(file.bytes), id),
      madeAt: new Date(deps.clock()),
      leftOut,
    }
    if (!(await addExport(unit.tx, row))) throw new ApiError('conflict')
    for (const { payout, account } of exported) {
      await setPayout(unit.tx, payout.id, { exportId: id, lastDigits: account?.lastDigits ?? '' })
      await advanceLocked(deps, unit, payout, { is: 'export', reason: '' }, by)
    }
    return { id, count, total, left_out: leftOut }
  })
}

function isOpen(day: string): boolean {
  try {
    return isBankDay(day)
  } catch {
    return false
  }
}

/** @throws ApiError `unavailable` while the operator's account is not configured */
async function requesterOf({ settings, banks }: Deps): Promise<Requester> {
  const { requester } = settings.payouts
  const place = requester && (await banks.find(requester.bankCode, requester.branchCode))
  if (!requester || !place) throw new ApiError('unavailable')
  return { ...requester, bankKana: place.bank.kana, branchKana: place.branch.kana }
}

interface Written {
  readonly file: Extract<WrittenFile, { is: 'written' }>
  readonly exported: readonly Examined[]
  readonly leftOut: LeftOut[]
}

/** The file of the payouts that nothing stops. A transfer that it cannot have is left out, and the others are written again. */
async function written(
  deps: Deps,
  requester: Requester,
  day: string,
  examined: readonly Examined[],
): Promise<Written> {
  const leftOut: LeftOut[] = []
  const fit: { readonly of: Examined; readonly transfer: Transfer }[] = []
  for (const of of examined)
    if (of.stop === null) fit.push({ of, transfer: await transferOf(deps, of) })
    else leftOut.push({ number: of.payout.number, why: of.stop })
  for (;;) {
    const unwritable = leftOut.find((it) => it.why === 'unwritable')
    if (fit.length === 0 && unwritable)
      throw new ApiError('invalid', { [`payout ${unwritable.number}`]: 'malformed' })
    if (fit.length === 0) throw new ApiError('conflict')
    const transfers = fit.map((it) => it.transfer)
    const file = writeTransferFile({ requester, day, transfers, lineEnds: 'crlf' })
    if (file.is === 'written') return { file, exported: fit.map((it) => it.of), leftOut }
    if (file.transfer === null) throw new ApiError('invalid', { [file.field]: 'malformed' })
    const [refused] = fit.splice(file.transfer, 1)
    if (refused) leftOut.push({ number: refused.of.payout.number, why: 'unwritable' })
  }
}

/** The transfer to the creator's account as it is now. */
async function transferOf(deps: Deps, { payout, account }: Examined): Promise<Transfer> {
  const place = account && (await deps.banks.find(account.bankCode, account.branchCode))
  if (!account || !place) throw new Error('a payout without an account was not stopped')
  const { number, holder } = openAccount(deps, account)
  return {
    payoutNumber: String(payout.number),
    bankCode: account.bankCode,
    bankKana: place.bank.kana,
    branchCode: account.branchCode,
    branchKana: place.branch.kana,
    accountType: account.type,
    accountNumber: number,
    holder,
    amount: payout.amount - payout.fee - payout.withheld,
  }
}

/** The file of an export, as it was made; each reading is in the audit log. @throws ApiError `not_found` */
export async function readTransferFile(deps: Deps, id: string, by: By): Promise<Buffer> {
  const found = await findExport(deps.db, id)
  if (!found || found.sealed === '') throw new ApiError('not_found')
  const subject = { subjectKind: 'payout_export', subjectId: id } as const
  await deps.audit({ ...by, act: 'payout.file', ...subject })
  return deps.secrets.open('transfer-file', found.sealed, id)
}

/**
 * Voids a file that the bank has not executed: its bytes are removed, and its payouts are approved again, so that the next file
 * takes them. A result that comes for it later changes nothing.
 * @returns how many payouts it had
 * @throws ApiError `not_found`; `conflict` when it was voided, or a payout has a result; `forbidden` with an own payout
 */
export function voidTransferFile(deps: Deps, id: string, reason: string, by: By): Promise<number> {
  return deps.transaction(async (unit: Unit) => {
    const { tx } = unit
    const found = await lockExport(tx, id)
    if (!found) throw new ApiError('not_found')
    const payouts = await lockPayoutsOf(tx, id)
    if (found.voidedAt || payouts.some((it) => it.state !== 'exported')) throw new ApiError('conflict')
    for (const payout of payouts) await advanceLocked(deps, unit, payout, { is: 'void', reason: '' }, by)
    await setVoided(tx, id, reason, deps.clock())
    // Without the reason, which is free text.
    const detail = { payouts: payouts.map((it) => it.number) }
    const subject = { subjectKind: 'payout_export', subjectId: id } as const
    unit.audit({ ...by, act: 'payout.file.void', ...subject, detail })
    return payouts.length
  })
}

/** Hourly: empties files that are not needed any more. */
export async function sweepTransferFiles({ db, clock }: Deps): Promise<void> {
  await emptyExports(db, clock() - STORED_MS)
}
