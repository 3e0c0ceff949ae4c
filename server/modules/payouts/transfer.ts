// Makes the transfer file of approved payouts, and records the bank's results.
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { isBankDay } from '#server/rules/payouts/bank-days.ts'
import { type Transfer, writeTransferFile } from '#server/rules/payouts/transfer-file.ts'
import { readTransferResults, type TransferResult } from '#server/rules/payouts/transfer-results.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import {
  addExport,
  countAdmins,
  emptyExports,
  type ExportRow,
  findExport,
  findPayoutByNumber,
  lockApproved,
  type PayoutRow,
  setPayout,
} from '#server/store/payouts/payouts.ts'
import { advance, advanceLocked, type By } from './advance.ts'
import { openAccount } from './sealed-account.ts'

/** Transfers of one file; the next file takes the rest. */
const MOST = 2000
/** A file is stored for so long after it was made, and until each of its payouts has a result, ms. */
const STORED_MS = 30 * 24 * 3600_000

export interface MadeFile {
  readonly id: string
  readonly count: number
  /** Yen. */
  readonly total: number
}

/** Whether an admin may export a payout: not one they approved, where two admins are required and there are two. */
export async function mayExport({ db, settings }: Pick<Deps, 'db' | 'settings'>, actorId: string) {
  const needsAnother = settings.payouts.needsTwoAdmins && (await countAdmins(db)) > 1
  return ({ approvedBy }: PayoutRow): boolean => !needsAnother || approvedBy !== actorId
}

/**
 * Makes the transfer file of the approved payouts that are due on a day or before; in the same transaction each of them is
 * exported, so that no payout is in two files.
 * @throws ApiError `unavailable`, `conflict`, `invalid` with `day` or `payout`
 */
export async function makeTransferFile(
  deps: Deps,
  { id, day }: { readonly id: string; readonly day: string },
  by: By,
): Promise<MadeFile> {
  const known = await findExport(deps.db, id)
  if (known) return { id, count: known.count, total: known.total }
  if (!isOpen(day)) throw new ApiError('invalid', { day: 'malformed' })
  const may = await mayExport(deps, by.actorId)
  return deps.transaction(async (unit) => {
    const payouts = (await lockApproved(unit.tx, day, MOST)).filter(may)
    if (payouts.length === 0) throw new ApiError('conflict')
    const { bytes, count, total } = await bytesOf(deps, unit, day, payouts)
    const row: ExportRow = {
      id,
      actorId: by.actorId,
      day,
      count,
      total,
      sealed: deps.secrets.seal('transfer-file', bytes, id),
      madeAt: new Date(deps.clock()),
    }
    if (!(await addExport(unit.tx, row))) throw new ApiError('conflict')
    for (const payout of payouts) {
      await setPayout(unit.tx, payout.id, { exportId: id })
      await advanceLocked(deps, unit, payout, { is: 'export', reason: '' }, by)
    }
    return { id, count, total }
  })
}

function isOpen(day: string): boolean {
  try {
    return isBankDay(day)
  } catch {
    return false
  }
}

async function bytesOf(deps: Deps, unit: Unit, day: string, payouts: readonly PayoutRow[]) {
  const { requester } = deps.settings.payouts
  const place = requester && (await deps.banks.find(requester.bankCode, requester.branchCode))
  if (!requester || !place) throw new ApiError('unavailable')
  const transfers: Transfer[] = []
  for (const payout of payouts) transfers.push(await transferOf(deps, unit, payout))
  const kana = { bankKana: place.bank.kana, branchKana: place.branch.kana }
  const file = writeTransferFile({ requester: { ...requester, ...kana }, day, transfers, lineEnds: 'crlf' })
  if (file.is === 'written') return file
  const refused = file.transfer === null ? undefined : payouts[file.transfer]
  throw new ApiError('invalid', { [refused ? `payout ${refused.number}` : file.field]: 'malformed' })
}

/** The transfer to the creator's account as it is now, which is recorded with the payout. */
async function transferOf(deps: Deps, { tx }: Unit, payout: PayoutRow): Promise<Transfer> {
  const account = await findBankAccount(tx, payout.creatorId)
  const place = account && (await deps.banks.find(account.bankCode, account.branchCode))
  if (!account || !place || isHeld(account.heldUntil, deps.clock()))
    throw new ApiError('invalid', { [`payout ${payout.number}`]: 'malformed' })
  const { number, holder } = openAccount(deps, account)
  await setPayout(tx, payout.id, { lastDigits: account.lastDigits })
  return {
    payoutNumber: String(payout.number),
    bankCode: account.bankCode,
    bankKana: place.bank.kana,
    branchCode: account.branchCode,
    branchKana: place.branch.kana,
    accountType: account.type,
    accountNumber: number,
    holder,
    amount: payout.amount - payout.fee,
  }
}

/** Whether a change of the account holds payouts now. */
export const isHeld = (heldUntil: Date | null, now: number): boolean =>
  heldUntil !== null && heldUntil.getTime() > now

/** The file of an export, as it was made; each reading is in the audit log. @throws ApiError `not_found` */
export async function readTransferFile(deps: Deps, id: string, by: By): Promise<Buffer> {
  const found = await findExport(deps.db, id)
  if (!found || found.sealed === '') throw new ApiError('not_found')
  const subject = { subjectKind: 'payout_export', subjectId: id } as const
  await writeAudit(deps.db, { ...by, act: 'payout.file', ...subject }, deps.clock())
  return deps.secrets.open('transfer-file', found.sealed, id)
}

/** Words of a result that the bank's file has no words for. */
const RETURNED = '銀行から、振り込めないと通知がありました。口座を確認してください。'

/**
 * Records the results of the bank's file, each once; a repeated file changes nothing.
 * @throws ApiError `invalid` with the lines that could not be read
 */
export async function recordResults(deps: Deps, bytes: Uint8Array, by: By) {
  const read = readTransferResults(bytes)
  if (read.is === 'refused') {
    const lines = read.problems.slice(0, 10).map((it) => [`line ${it.line}`, 'malformed'] as const)
    throw new ApiError('invalid', { file: 'malformed', ...Object.fromEntries(lines) })
  }
  const counts = { paid: 0, returned: 0, unknown: [] as string[] }
  for (const result of read.results) {
    const outcome = await recordResult(deps, result, by)
    if (outcome === 'unknown') counts.unknown.push(result.payoutNumber)
    else if (outcome !== 'unchanged') counts[outcome] += 1
  }
  return counts
}

async function recordResult(
  deps: Deps,
  { payoutNumber, amount, outcome, code }: TransferResult,
  by: By,
): Promise<'paid' | 'returned' | 'unchanged' | 'unknown'> {
  const number = Number(payoutNumber)
  const payout = number <= 2_147_483_647 ? await findPayoutByNumber(deps.db, number) : undefined
  if (!payout || payout.amount - payout.fee !== amount) return 'unknown'
  if (payout.state === outcome) return 'unchanged'
  const step =
    outcome === 'paid'
      ? ({ is: 'pay', reason: '' } as const)
      : // A transfer that was not sent costs nothing with most banks; the operator corrects it otherwise.
        ({ is: 'return', reason: `${RETURNED}（結果コード ${code}）`, keepsFee: false } as const)
  return (await advance(deps, payout.id, step, by)) ? outcome : 'unknown'
}

/** Hourly: empties files that are not needed any more. */
export async function sweepTransferFiles({ db, clock }: Deps): Promise<void> {
  await emptyExports(db, clock() - STORED_MS)
}
