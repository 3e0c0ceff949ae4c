// Writes the bulk transfer file (総合振込) that the operator sends to its bank.
import { isBankDay } from './bank-days.ts'
import { cutTransferKana, foldTransferKana } from './transfer-kana.ts'
import {
  encodeRecord,
  type FieldProblem,
  MAX_TRANSFERS,
  type RecordKind,
  type RecordOf,
} from './transfer-records.ts'

/** The bank account of a transfer's side. Names are those of the bank directory, without 銀行 and 支店. */
interface Account {
  /** 4 digits. */
  readonly bankCode: string
  readonly bankKana: string
  /** 3 digits. */
  readonly branchCode: string
  readonly branchKana: string
  /** 7 digits. */
  readonly accountNumber: string
}

/** The operator, as its bank has registered it. */
export interface Requester extends Account {
  /** 委託者コード, 10 digits, given by the bank. */
  readonly code: string
  readonly name: string
  /** 普通, 当座, その他. */
  readonly accountType: '1' | '2' | '9'
}

export interface Transfer extends Account {
  /** 1 to 10 digits without leading zeros; each once in a file. */
  readonly payoutNumber: string
  /** 普通, 当座, 貯蓄. */
  readonly accountType: '1' | '2' | '4'
  /** By the accountNameCard rule. */
  readonly holder: string
  /** Whole yen, 1 to 9,999,999,999. */
  readonly amount: number
}

export interface TransferOrder {
  readonly requester: Requester
  /** A bank business day, `YYYY-MM-DD`. */
  readonly day: string
  readonly transfers: readonly Transfer[]
  /** `crlf` after each record, or `none`. Most banks take both; some take one, by their manual. */
  readonly lineEnds: 'crlf' | 'none'
}

export type WrittenFile =
  | {
      readonly is: 'written'
      /** Shift_JIS. */
      readonly bytes: Uint8Array
      readonly count: number
      /** Whole yen. */
      readonly total: number
    }
  | RefusedFile

export interface RefusedFile {
  readonly is: 'refused'
  /** The index of the transfer; null for the header and for the file as a whole. */
  readonly transfer: number | null
  readonly field: string
  /** `day`: not a bank business day. `number`: not the right form. `repeated`: a payout number twice. */
  readonly why: 'characters' | 'too_long' | 'number' | 'empty' | 'too_many' | 'day' | 'repeated'
}

const MAX_AMOUNT = 9_999_999_999
const CRLF = Uint8Array.of(0x0d, 0x0a)

/**
 * Writes the file of one payout day: header, a record for each transfer, totals, end. Names are folded and cut to their
 * fields; everything else that does not fit is refused, with the transfer.
 */
export function writeTransferFile(order: TransferOrder): WrittenFile {
  const { requester, day, transfers, lineEnds } = order
  if (transfers.length === 0) return refused(null, 'transfers', 'empty')
  if (transfers.length > MAX_TRANSFERS) return refused(null, 'transfers', 'too_many')
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !isBankDay(day)) return refused(null, 'day', 'day')
  const records = [headerOf(requester, day)]
  const numbers = new Set<string>()
  let total = 0
  for (const [index, transfer] of transfers.entries()) {
    if (numbers.has(transfer.payoutNumber)) return refused(index, 'payoutNumber', 'repeated')
    numbers.add(transfer.payoutNumber)
    const record = dataOf(transfer, index)
    if ('is' in record) return record
    records.push(record)
    total += transfer.amount
  }
  const sums = { count: String(transfers.length), total: String(total) }
  records.push(recordOf('trailer', null, sums), recordOf('end', null, {}))
  const lines: Uint8Array[] = []
  for (const record of records) {
    if ('is' in record) return record
    lines.push(record)
    if (lineEnds === 'crlf') lines.push(CRLF)
  }
  return { is: 'written', bytes: joined(lines), count: transfers.length, total }
}

const refused = (transfer: number | null, field: string, why: RefusedFile['why']): RefusedFile => ({
  is: 'refused',
  transfer,
  field,
  why,
})

function headerOf(requester: Requester, day: string): Uint8Array | RefusedFile {
  const { code, accountType } = requester
  if (!/^\d{10}$/.test(code)) return refused(null, 'requesterCode', 'number')
  if (!/^[129]$/.test(accountType)) return refused(null, 'accountType', 'number')
  const account = accountFields(requester, null)
  if ('is' in account) return account
  const name = nameField(requester.name, 40, null, 'requesterName')
  if (typeof name !== 'string') return name
  return recordOf('header', null, {
    ...account,
    accountType,
    service: '21',
    coding: '0',
    requesterCode: code,
    requesterName: name,
    day: day.slice(5).replace('-', ''),
  })
}

function dataOf(transfer: Transfer, index: number): Uint8Array | RefusedFile {
  const { amount, payoutNumber, accountType } = transfer
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_AMOUNT)
    return refused(index, 'amount', 'number')
  if (!/^[1-9]\d{0,9}$/.test(payoutNumber)) return refused(index, 'payoutNumber', 'number')
  if (!/^[124]$/.test(accountType)) return refused(index, 'accountType', 'number')
  const account = accountFields(transfer, index)
  if ('is' in account) return account
  const holder = nameField(transfer.holder, 30, index, 'holder')
  if (typeof holder !== 'string') return holder
  return recordOf('data', index, {
    ...account,
    accountType,
    clearingHouse: '0000',
    holder,
    amount: String(amount),
    isNew: '0',
    payoutNumber,
    delivery: '7',
  })
}

type AccountFields = Pick<
  RecordOf<'data'>,
  'bankCode' | 'bankName' | 'branchCode' | 'branchName' | 'accountNumber'
>

function accountFields(of: Account, transfer: number | null): AccountFields | RefusedFile {
  const { bankCode, branchCode, accountNumber } = of
  if (!/^\d{4}$/.test(bankCode)) return refused(transfer, 'bankCode', 'number')
  if (!/^\d{3}$/.test(branchCode)) return refused(transfer, 'branchCode', 'number')
  if (!/^\d{7}$/.test(accountNumber)) return refused(transfer, 'accountNumber', 'number')
  const bankName = nameField(of.bankKana, 15, transfer, 'bankName')
  if (typeof bankName !== 'string') return bankName
  const branchName = nameField(of.branchKana, 15, transfer, 'branchName')
  if (typeof branchName !== 'string') return branchName
  return { bankCode, bankName, branchCode, branchName, accountNumber }
}

function nameField(
  name: string,
  bytes: number,
  transfer: number | null,
  field: string,
): string | RefusedFile {
  const folded = foldTransferKana(name)
  if (folded.is === 'folded') return cutTransferKana(folded.text, bytes)
  return refused(transfer, field, folded.character === '' ? 'empty' : 'characters')
}

function recordOf<Kind extends RecordKind>(
  kind: Kind,
  transfer: number | null,
  values: Partial<RecordOf<Kind>>,
): Uint8Array | RefusedFile {
  const record: Uint8Array | FieldProblem = encodeRecord(kind, values)
  return record instanceof Uint8Array ? record : refused(transfer, record.field, record.why)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, it) => sum + it.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
