// Queries and filter of the audit log, and the records of its entries.
import * as v from 'valibot'
import { AUDIT_CSV_PATH, type AuditEntryView, listAudit } from '#contract/administration/audit.ts'
import {
  type AuditAct,
  auditActs,
  type AuditSubject,
  auditSubjects,
} from '#contract/administration/audit-names.ts'
import { day as daySchema } from '#contract/rules.ts'
import { API_BASE } from '#contract/paths.ts'
import { pagesFor } from '#src/domain/queries/query.ts'

/** A filter in an address. Days are `YYYY-MM-DD` in Asia/Tokyo, the last one included. */
export interface AuditFilter {
  readonly act?: AuditAct | undefined
  readonly kind?: AuditSubject | undefined
  readonly actor?: string | undefined
  readonly subject?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The filter of an address. What is not a known act, kind or day is left out. */
export function filterOf(search: {
  readonly [Name in keyof AuditFilter]?: string | undefined
}): AuditFilter {
  const { act, kind, actor, subject, from, to } = search
  return {
    act: auditActs.find((it) => it === act),
    kind: auditSubjects.find((it) => it === kind),
    actor,
    subject,
    from: v.is(daySchema, from) ? from : undefined,
    to: v.is(daySchema, to) ? to : undefined,
  }
}

const DAY = 24 * 3600_000
const startOf = (day: string) => Date.parse(`${day}T00:00:00+09:00`)

/** The query of a request; what is not set is left out. */
export const requestOf = ({ act, kind, actor, subject, from, to }: AuditFilter) => ({
  ...(act !== undefined && { act }),
  ...(kind !== undefined && { subject_kind: kind }),
  ...(actor !== undefined && { actor }),
  ...(subject !== undefined && { subject }),
  ...(from !== undefined && { from: new Date(startOf(from)).toISOString() }),
  ...(to !== undefined && { to: new Date(startOf(to) + DAY).toISOString() }),
})

export const auditQuery = (filter: AuditFilter) => ({
  ...pagesFor(listAudit, { query: requestOf(filter) }),
  staleTime: 0,
  // Each reading of the first page is an entry of the log.
  refetchOnWindowFocus: false,
})

/** The address of the CSV file of entries. */
export const auditCsvAddress = (filter: AuditFilter): string =>
  `${API_BASE}${AUDIT_CSV_PATH}?${new URLSearchParams(requestOf(filter))}`

/** The address of the record that an entry is about, as the search of /administration; undefined where there is no page of it. */
export function recordOf({ subject_kind: kind, subject_id: id, subject }: AuditEntryView) {
  switch (kind) {
    case 'user':
      return subject ? ({ show: 'people', person: id } as const) : undefined
    case 'identity_check':
      return { check: id } as const
    case 'payment':
      return { show: 'adjustments', q: id } as const
    case 'payout':
    case 'payout_export':
      return { show: 'payouts' } as const
    case 'settlement':
      return { show: 'settlements' } as const
    case 'seller_request':
      return { show: 'sellers' } as const
    case 'operator_task':
      return { show: 'tasks' } as const
    default:
      return undefined
  }
}
