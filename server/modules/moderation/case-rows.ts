// Cases as lists show them.
import type { CaseRow } from '#contract/moderation/cases.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import { personView } from '#server/services/people/person-view.ts'
import { beginning } from '#server/services/notifications/views.ts'
import type { Db } from '#server/store/database.ts'
import { type CaseRecord, summariesOf } from '#server/store/moderation/cases.ts'
import { findPeople } from '#server/store/people/people.ts'

/** Rows of cases, in the same order. */
export async function caseRows(db: Db, records: readonly CaseRecord[], now: number): Promise<CaseRow[]> {
  const summaries = await summariesOf(
    db,
    records.map((it) => it.id),
  )
  const people = await findPeople(
    db,
    records.flatMap((it) => [it.ownerId, it.takenBy].filter((id) => id !== null)),
  )
  return records.map((it) => {
    const owner = people.get(it.ownerId ?? '')
    const holder = people.get(holderOf(it, now) ?? '')
    const { reasons = [], quoted = {} } = summaries.get(it.id) ?? {}
    return {
      id: it.id,
      kind: it.targetKind,
      target_id: it.targetId,
      owner: owner && owner.state !== 'gone' ? personView(owner) : null,
      state: it.state,
      reports: it.reports,
      reasons: [...reasons],
      excerpt: excerptOf(quoted),
      since: it.since.toISOString(),
      taken:
        holder && it.takenUntil
          ? { by: { id: holder.id, name: holder.name }, until: it.takenUntil.toISOString() }
          : null,
    }
  })
}

/** The beginning of reported texts; '' for a message, which a report does not quote. */
export const excerptOf = (quoted: Readonly<Record<string, string>>): string =>
  beginning(quoted['content'] ?? quoted['bio'] ?? '') ?? ''
