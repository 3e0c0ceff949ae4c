// Decisions as their person and as staff read them.
import type { CaseDecision } from '#contract/moderation/cases.ts'
import type { AppealView, MeasureView, OwnDecision } from '#contract/moderation/decisions.ts'
import { APPEAL_MS } from '#contract/moderation/measures.ts'
import type { ReportReason } from '#contract/posts/reports.ts'
import type { Db } from '#server/store/database.ts'
import { findCases } from '#server/store/moderation/cases.ts'
import { type AppealRow, appealsOf, type DecisionRow } from '#server/store/moderation/decisions.ts'
import { type MeasureRow, measuresOf } from '#server/store/moderation/measures.ts'
import { findPeople } from '#server/store/people/people.ts'

const measureView = ({ kind, until, endedAt }: MeasureRow): MeasureView => ({
  kind,
  until: until?.toISOString() ?? null,
  ended_at: endedAt?.toISOString() ?? null,
})

const appealView = (it: AppealRow): AppealView => ({
  state: it.state,
  text: it.text,
  sent_at: it.sentAt.toISOString(),
  answered_at: it.answeredAt?.toISOString() ?? null,
  answer: it.answer,
})

/** Decisions about one person, as that person reads them: without who decided and who reported. */
export async function ownDecisions(
  db: Db,
  rows: readonly DecisionRow[],
  now: number,
): Promise<OwnDecision[]> {
  const ids = rows.map((it) => it.id)
  const measures = await measuresOf(db, ids)
  const appeals = await appealsOf(db, ids)
  const cases = await findCases(
    db,
    rows.map((it) => it.caseId),
  )
  return rows.flatMap((row) => {
    const found = cases.get(row.caseId)
    if (!found) return []
    const appeal = appeals.get(row.id)
    const until = row.decidedAt.getTime() + APPEAL_MS
    const accepts = !appeal && row.undoneAt === null && until > now && found.state === 'decided'
    return {
      id: row.id,
      kind: found.targetKind,
      target_id: found.targetId,
      excerpt: row.excerpt,
      rule: row.rule as ReportReason,
      text: row.textToPerson,
      measures: (measures.get(row.id) ?? []).map(measureView),
      decided_at: row.decidedAt.toISOString(),
      undone_at: row.undoneAt?.toISOString() ?? null,
      appeal: appeal ? appealView(appeal) : null,
      appeal_until: accepts ? new Date(until).toISOString() : null,
    }
  })
}

/** Decisions of one case, as staff read them. */
export async function caseDecisions(db: Db, rows: readonly DecisionRow[]): Promise<CaseDecision[]> {
  const ids = rows.map((it) => it.id)
  const measures = await measuresOf(db, ids)
  const appeals = await appealsOf(db, ids)
  const staff = await findPeople(
    db,
    rows.flatMap((it) => [it.decidedBy, it.undoneBy].filter((id) => id !== null)),
  )
  const nameOf = (id: string | null) => {
    const person = staff.get(id ?? '')
    return person ? { id: person.id, name: person.name } : null
  }
  return rows.map((row) => {
    const appeal = appeals.get(row.id)
    return {
      id: row.id,
      outcome: row.outcome,
      rule: row.rule as ReportReason | null,
      text_to_person: row.textToPerson,
      text_to_reporters: row.textToReporters,
      note: row.note,
      by: nameOf(row.decidedBy),
      decided_at: row.decidedAt.toISOString(),
      undone: row.undoneAt && { by: nameOf(row.undoneBy), at: row.undoneAt.toISOString() },
      measures: (measures.get(row.id) ?? []).map(measureView),
      appeal: appeal ? appealView(appeal) : null,
    }
  })
}
