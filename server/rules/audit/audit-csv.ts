// The entries of the audit log as CSV.
import { anchorOf } from './chain.ts'

export const auditCsvHead = [
  '番号',
  '日時',
  '操作した人のID',
  '操作した人の名前',
  '操作',
  '対象の種類',
  '対象のID',
  '対象の人の名前',
  '内容',
  'IPアドレス',
  '検証値',
] as const

export interface AuditCsvEntry {
  readonly seq: number
  readonly hash: string
  readonly at: Date
  readonly actorId: string
  /** '' for an account that does not exist any more. */
  readonly actorName: string
  readonly act: string
  readonly subjectKind: string
  readonly subjectId: string
  readonly subjectName: string
  readonly detail: object
  readonly ip: string
}

/** Cells of one entry, in the order of the head; the time is that of UTC, the last cell an anchor of the chain. */
export const auditCsvRow = (it: AuditCsvEntry): string[] => [
  String(it.seq),
  it.at.toISOString(),
  it.actorId,
  it.actorName,
  it.act,
  it.subjectKind,
  it.subjectId,
  it.subjectName,
  JSON.stringify(it.detail),
  it.ip,
  anchorOf(it),
]
