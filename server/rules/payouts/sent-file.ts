// Compares the bank's results with the transfer file that was sent.
import { decodeRecord, RECORD, type RecordOf } from './transfer-records.ts'
import type { ReadResults, TransferResult } from './transfer-results.ts'

export interface SentFile {
  readonly header: RecordOf<'header'>
  /** Transfers by the number of their payout, without leading zeros. */
  readonly transfers: ReadonlyMap<string, RecordOf<'data'>>
}

const CRLF = 2

/**
 * Reads a file that this server has written.
 * @param bytes records that each end with CRLF
 * @throws when it is no such file
 */
export function readSentFile(bytes: Uint8Array): SentFile {
  let header: RecordOf<'header'> | undefined
  const transfers = new Map<string, RecordOf<'data'>>()
  for (let at = 0; at < bytes.length; at += RECORD + CRLF) {
    const record = decodeRecord(bytes.subarray(at, at + RECORD))
    if (record.is === 'broken') throw new Error('a stored transfer file cannot be read')
    if (record.is === 'header') header = record.values
    if (record.is === 'data') transfers.set(record.values.payoutNumber.replace(/^0+/, ''), record.values)
  }
  if (!header) throw new Error('a stored transfer file has no header')
  return { header, transfers }
}

type Read = Extract<ReadResults, { is: 'read' }>

/** The field of the header that differs from the file that was sent: another requester, or another bank. */
export function headerDifference(
  { header }: SentFile,
  { requester }: Read,
): 'requesterCode' | 'bankCode' | undefined {
  if (requester.code !== header.requesterCode) return 'requesterCode'
  return requester.bankCode === header.bankCode ? undefined : 'bankCode'
}

const compared = ['bankCode', 'branchCode', 'accountType', 'accountNumber'] as const

/** The field of a result that differs from the transfer of its payout; undefined when it is the same transfer. */
export function transferDifference(
  { transfers }: SentFile,
  result: TransferResult,
): 'payoutNumber' | (typeof compared)[number] | 'amount' | undefined {
  const sent = transfers.get(result.payoutNumber)
  if (!sent) return 'payoutNumber'
  const field = compared.find((it) => sent[it] !== result[it])
  return field ?? (Number(sent.amount) === result.amount ? undefined : 'amount')
}
