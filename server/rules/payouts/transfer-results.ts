// Reads the bank's result file of a bulk transfer.
import { decodeRecord, MAX_TRANSFERS, RECORD, type RecordOf } from './transfer-records.ts'

/** Bytes of the largest file: every transfer, header, trailer and end, each with a line end, and one end-of-file byte. */
export const MAX_RESULT_BYTES = (MAX_TRANSFERS + 3) * (RECORD + 2) + 1
/** Most problems that are listed; a file of another kind has one in each line. */
const MAX_PROBLEMS = 100
const [CR, LF, END_OF_FILE] = [0x0d, 0x0a, 0x1a]

export interface TransferResult {
  /** Without leading zeros. */
  readonly payoutNumber: string
  readonly bankCode: string
  readonly branchCode: string
  readonly accountType: string
  readonly accountNumber: string
  /** Whole yen. */
  readonly amount: number
  readonly outcome: 'paid' | 'returned'
  /** The bank's digit: 0 is paid, each other one a reason why the money came back. */
  readonly code: string
}

export interface ResultProblem {
  /** From 1; the line after the last one for what is missing. */
  readonly line: number
  /**
   * `length`: not 120 bytes. `record`: begins with no known digit. `order`: a record where another has to be. `service`: not
   * 総合振込. `outcome`: no result digit. `number`: payout number 0. `repeated`: a payout number twice. `amount`: zero.
   * `count`, `total`: the trailer differs from the records.
   */
  readonly why:
    | 'too_large'
    | 'length'
    | 'characters'
    | 'record'
    | 'digits'
    | 'order'
    | 'service'
    | 'outcome'
    | 'number'
    | 'repeated'
    | 'amount'
    | 'count'
    | 'total'
    | 'missing'
  /** The field of `digits`. */
  readonly field?: string
}

export type ReadResults =
  | {
      readonly is: 'read'
      /** Code and bank of the header. */
      readonly requester: { readonly code: string; readonly bankCode: string }
      /** `MMDD`: the file has no year. */
      readonly day: string
      readonly results: readonly TransferResult[]
      /** Whole yen of all results, also of those that were returned. */
      readonly total: number
    }
  | { readonly is: 'refused'; readonly problems: readonly ResultProblem[] }

interface Reading {
  header: RecordOf<'header'> | undefined
  trailer: boolean
  end: boolean
  total: number
  readonly numbers: Set<string>
  readonly results: TransferResult[]
  readonly problems: ResultProblem[]
}

/**
 * Reads a result file, in time linear in its bytes. One problem refuses the whole file, since a line that is not understood
 * may be a payout that came back.
 *
 * The digit of the outcome is assumed at byte 114 of a data record, the first of its unused end, and the trailer to count
 * all records. No published layout covers results of 総合振込; a file of the operator's bank has to be read once before.
 * @param bytes Shift_JIS; records with or without line ends
 */
export function readTransferResults(bytes: Uint8Array): ReadResults {
  if (bytes.length > MAX_RESULT_BYTES) return { is: 'refused', problems: [{ line: 1, why: 'too_large' }] }
  const reading: Reading = {
    header: undefined,
    trailer: false,
    end: false,
    total: 0,
    numbers: new Set(),
    results: [],
    problems: [],
  }
  let line = 0
  for (const record of recordsIn(bytes)) {
    line++
    const problem = record.length === RECORD ? take(reading, record) : ({ why: 'length' } as const)
    if (problem) reading.problems.push({ line, ...problem })
    if (reading.problems.length >= MAX_PROBLEMS) break
  }
  const { header, problems, results, total } = reading
  if (problems.length === 0 && !reading.end) problems.push({ line: line + 1, why: 'missing' })
  if (problems.length > 0 || !header) return { is: 'refused', problems }
  const requester = { code: header.requesterCode, bankCode: header.bankCode }
  return { is: 'read', requester, day: header.day, results, total }
}

/** The records: up to a line end, or 120 bytes where none comes before. */
function* recordsIn(bytes: Uint8Array): Generator<Uint8Array> {
  const last = bytes.at(-1) === END_OF_FILE ? bytes.length - 1 : bytes.length
  let at = 0
  while (at < last) {
    let end = at
    while (end < last && end - at < RECORD && bytes[end] !== CR && bytes[end] !== LF) end++
    yield bytes.subarray(at, end)
    if (bytes[end] === CR) end++
    if (bytes[end] === LF) end++
    at = end
  }
}

type Problem = Omit<ResultProblem, 'line'>

function take(reading: Reading, bytes: Uint8Array): Problem | undefined {
  const record = decodeRecord(bytes)
  if (record.is === 'broken')
    return record.why === 'digits' ? { why: record.why, field: record.field } : { why: record.why }
  const { header, trailer, end } = reading
  switch (record.is) {
    case 'header':
      if (header) return { why: 'order' }
      reading.header = record.values
      return record.values.service === '21' ? undefined : { why: 'service' }
    case 'data':
      return header && !trailer ? takeResult(reading, record.values) : { why: 'order' }
    case 'trailer':
      if (!header || trailer) return { why: 'order' }
      reading.trailer = true
      if (Number(record.values.count) !== reading.results.length) return { why: 'count' }
      return Number(record.values.total) === reading.total ? undefined : { why: 'total' }
    case 'end':
      if (!trailer || end) return { why: 'order' }
      reading.end = true
      return undefined
    default:
      return record satisfies never
  }
}

function takeResult(reading: Reading, it: RecordOf<'data'>): Problem | undefined {
  const [amount, payoutNumber] = [Number(it.amount), it.payoutNumber.replace(/^0+/, '')]
  if (payoutNumber === '') return { why: 'number' }
  if (reading.numbers.has(payoutNumber)) return { why: 'repeated' }
  if (amount === 0) return { why: 'amount' }
  if (!/^\d$/.test(it.outcome)) return { why: 'outcome' }
  reading.numbers.add(payoutNumber)
  reading.total += amount
  reading.results.push({
    payoutNumber,
    bankCode: it.bankCode,
    branchCode: it.branchCode,
    accountType: it.accountType,
    accountNumber: it.accountNumber,
    amount,
    outcome: it.outcome === '0' ? 'paid' : 'returned',
    code: it.outcome,
  })
  return undefined
}
