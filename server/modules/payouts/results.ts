// Records the bank's results of exported payouts.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  headerDifference,
  readSentFile,
  type SentFile,
  transferDifference,
} from '#server/rules/payouts/sent-file.ts'
import {
  type ReadResults,
  readTransferResults,
  type TransferResult,
} from '#server/rules/payouts/transfer-results.ts'
import { findExport } from '#server/store/payouts/exports.ts'
import { findPayoutsByNumber, lockPayout, type PayoutRow } from '#server/store/payouts/payouts.ts'
import { countStaff } from '#server/store/staff/staff.ts'
import { advanceLocked, type By } from './advance.ts'

type Read = Extract<ReadResults, { is: 'read' }>

/** Words of a result that the bank's file has no words for. */
const RETURNED = '銀行から、振り込めないと通知がありました。口座を確認してください。'

/**
 * Records the results of the bank's file, each once; a repeated file changes nothing.
 * @throws ApiError `invalid` with the lines that could not be read, or with the field that differs from the file that was sent;
 *   `forbidden` with the number of the admin's own payout
 */
export async function recordResults(deps: Deps, bytes: Uint8Array, by: By) {
  const read = readTransferResults(bytes)
  if (read.is === 'refused') {
    const lines = read.problems.slice(0, 10).map((it) => [`line ${it.line}`, 'malformed'] as const)
    throw new ApiError('invalid', { file: 'malformed', ...Object.fromEntries(lines) })
  }
  const counts = { paid: 0, returned: 0, unknown: [] as string[] }
  const payouts = await comparedPayouts(deps, read, by)
  for (const result of read.results) {
    const payout = payouts.get(result.payoutNumber)
    if (payout?.state === result.outcome) continue
    const isRecorded = payout && (await record(deps, payout, result, by))
    if (isRecorded) counts[result.outcome] += 1
    else counts.unknown.push(result.payoutNumber)
  }
  return counts
}

/**
 * The payouts of results that are the same transfers as in the file that was sent, by their numbers. Others are left out: those
 * without a payout, and those without a file, since then neither account nor amount can be compared.
 */
async function comparedPayouts(deps: Deps, read: Read, by: By): Promise<Map<string, PayoutRow>> {
  const numbers = read.results.map((it) => Number(it.payoutNumber)).filter((it) => it <= 2_147_483_647)
  const found = new Map(
    (await findPayoutsByNumber(deps.db, numbers)).map((it) => [String(it.number), it] as const),
  )
  const hasOthers = (await countStaff(deps.db, 'money')) > 1
  const files = new Map<string, SentFile | undefined>()
  const compared = new Map<string, PayoutRow>()
  for (const result of read.results) {
    const payout = found.get(result.payoutNumber)
    const { exportId } = payout ?? {}
    if (!payout || !exportId) continue
    if (!files.has(exportId)) files.set(exportId, await sentFileOf(deps, exportId))
    const sent = files.get(exportId)
    if (sent) refuseDifference(sent, read, result)
    const isSettled = payout.state === result.outcome
    if (!isSettled && hasOthers && payout.creatorId === by.actorId)
      throw new ApiError('forbidden', { [`payout ${payout.number}`]: 'malformed' })
    if (sent || isSettled) compared.set(result.payoutNumber, payout)
  }
  return compared
}

/** @returns false when the step is not possible, or the payout is in another file by now */
function record(deps: Deps, { id, exportId }: PayoutRow, result: TransferResult, by: By): Promise<boolean> {
  return deps.transaction(async (unit) => {
    const payout = await lockPayout(unit.tx, id)
    if (!payout || payout.exportId !== exportId) return false
    return advanceLocked(deps, unit, payout, stepOf(result), by)
  })
}

/** The file of an export; undefined after it was emptied. */
async function sentFileOf(deps: Deps, id: string): Promise<SentFile | undefined> {
  const found = await findExport(deps.db, id)
  if (!found || found.sealed === '') return undefined
  return readSentFile(deps.secrets.open('transfer-file', found.sealed, id))
}

/** @throws ApiError `invalid` with the field of the header, or of the payout */
function refuseDifference(sent: SentFile, read: Read, result: TransferResult): void {
  const ofHeader = headerDifference(sent, read)
  if (ofHeader) throw new ApiError('invalid', { [`header ${ofHeader}`]: 'malformed' })
  const field = transferDifference(sent, result)
  if (field) throw new ApiError('invalid', { [`payout ${result.payoutNumber} ${field}`]: 'malformed' })
}

const stepOf = ({ outcome, code }: TransferResult) =>
  outcome === 'paid'
    ? ({ is: 'pay', reason: '' } as const)
    : // A transfer that was not sent costs nothing with most banks; the operator corrects it otherwise.
      ({ is: 'return', reason: `${RETURNED}（結果コード ${code}）`, keepsFee: false } as const)
