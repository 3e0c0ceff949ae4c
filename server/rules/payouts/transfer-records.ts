// Layout and bytes of the records of a bulk transfer file (総合振込).
import { TRANSFER_TEXT } from './transfer-kana.ts'

/** Bytes of a record without its line end. */
export const RECORD = 120
/** Most transfers of one file; online banking of companies takes 9,999. */
export const MAX_TRANSFERS = 9999

/** `digits` are right-aligned and filled with zeros, `text` is left-aligned and filled with spaces. */
interface Field {
  readonly kind: 'digits' | 'text'
  readonly bytes: number
}
const digits = (bytes: number): Field => ({ kind: 'digits', bytes })
const text = (bytes: number): Field => ({ kind: 'text', bytes })

/**
 * The four records, by their first digit. Source: the format of the 全国銀行協会 for 総合振込, as banks publish it
 * (docs/decisions/070).
 */
export const layouts = {
  header: {
    record: digits(1),
    /** 21: 総合振込. */
    service: digits(2),
    /** 0: JIS, which has the half-width kana of Shift_JIS. */
    coding: digits(1),
    requesterCode: digits(10),
    requesterName: text(40),
    /** MMDD. */
    day: digits(4),
    bankCode: digits(4),
    bankName: text(15),
    branchCode: digits(3),
    branchName: text(15),
    accountType: digits(1),
    accountNumber: digits(7),
    unused: text(17),
  },
  data: {
    record: digits(1),
    bankCode: digits(4),
    bankName: text(15),
    branchCode: digits(3),
    branchName: text(15),
    /** 手形交換所番号: not used, zeros. */
    clearingHouse: text(4),
    accountType: digits(1),
    accountNumber: digits(7),
    holder: text(30),
    amount: digits(10),
    /** 新規コード. 0: neither the first transfer nor changed. */
    isNew: text(1),
    /** 顧客コード1: the payout's number. */
    payoutNumber: digits(10),
    customerCode: text(10),
    /** 振込指定区分. 7: by wire (電信). */
    delivery: text(1),
    identification: text(1),
    /** Unused in a request; the first byte is read as the outcome in the bank's result file. */
    outcome: text(1),
    unused: text(6),
  },
  trailer: { record: digits(1), count: digits(6), total: digits(12), unused: text(101) },
  end: { record: digits(1), unused: text(119) },
} as const satisfies Record<string, Readonly<Record<string, Field>>>

export type RecordKind = keyof typeof layouts
export type RecordOf<Kind extends RecordKind> = Record<keyof (typeof layouts)[Kind], string>

/** The first digit of each record. */
const firstDigits = { header: '1', data: '2', trailer: '8', end: '9' } as const
const kinds = new Map<string, RecordKind>(
  Object.entries(firstDigits).map(([kind, digit]) => [digit, kind as RecordKind]),
)

/** What a value breaks of its field: longer than it, or with other characters. */
export interface FieldProblem {
  readonly field: string
  readonly why: 'too_long' | 'characters'
}

/** The half-width kana ｡ to ﾟ (U+FF61–FF9F) are the bytes A1–DF of Shift_JIS. */
const [KANA, KANA_BYTE] = [0xff61, 0xa1]

/**
 * The 120 bytes of a record.
 * @param values by field; a missing one is empty. The first digit is set here.
 */
export function encodeRecord<Kind extends RecordKind>(
  kind: Kind,
  values: Partial<RecordOf<Kind>>,
): Uint8Array | FieldProblem {
  const given: Partial<Record<string, string>> = { ...values, record: firstDigits[kind] }
  let line = ''
  for (const [field, { kind: of, bytes }] of Object.entries<Field>(layouts[kind])) {
    const value = given[field] ?? ''
    if (!(of === 'digits' ? /^\d*$/ : TRANSFER_TEXT).test(value)) return { field, why: 'characters' }
    if (value.length > bytes) return { field, why: 'too_long' }
    line += of === 'digits' ? value.padStart(bytes, '0') : value.padEnd(bytes)
  }
  return Uint8Array.from(line, (it) => {
    const code = it.charCodeAt(0)
    return code < 0x80 ? code : code - KANA + KANA_BYTE
  })
}

/** The text of a record's bytes, a character for each; undefined for a byte that is no character of a transfer file. */
function decode(bytes: Uint8Array): string | undefined {
  // The bytes 80–A0 and E0–FF become characters before and after the kana, which the test refuses.
  const characters = Array.from(bytes, (it) => String.fromCharCode(it < 0x80 ? it : it - KANA_BYTE + KANA))
  const line = characters.join('')
  // Banks fill unused parts of a result with signs of their own, so that more is allowed than in a request.
  return /^[ -~｡-ﾟ]*$/.test(line) ? line : undefined
}

export type DecodedRecord =
  | { readonly [Kind in RecordKind]: { readonly is: Kind; readonly values: RecordOf<Kind> } }[RecordKind]
  | { readonly is: 'broken'; readonly why: 'characters' | 'record' }
  | { readonly is: 'broken'; readonly why: 'digits'; readonly field: string }

/** The fields of a record's 120 bytes, texts without the spaces that fill them. */
export function decodeRecord(bytes: Uint8Array): DecodedRecord {
  const line = decode(bytes)
  if (line === undefined) return { is: 'broken', why: 'characters' }
  const kind = kinds.get(line[0] ?? '')
  if (kind === undefined) return { is: 'broken', why: 'record' }
  const values: Record<string, string> = {}
  let at = 0
  for (const [field, { kind: of, bytes: size }] of Object.entries<Field>(layouts[kind])) {
    const value = line.slice(at, at + size)
    if (of === 'digits' && !/^\d*$/.test(value)) return { is: 'broken', why: 'digits', field }
    values[field] = value.trimEnd()
    at += size
  }
  return { is: kind, values } as DecodedRecord
}
