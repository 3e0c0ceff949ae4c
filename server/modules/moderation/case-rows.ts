// Cases as lists show them.
import type { CaseRow } from '#contract/moderation/cases.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import { personView } from '#server/services/people/person-view.ts'
import { beginning } from '#server/services/notifications/views.ts'
import type { Db } from '#server/store/database.ts'
import { type CaseRecord, type CaseSummary, summariesOf } from '#server/store/moderation/cases.ts'
import { type HoldRow, lastHoldsOf, textsOf } from '#server/store/moderation/holds.ts'
import { findPeople } from '#server/store/people/people.ts'

/** Rows of cases, in the same order. */
export async function caseRows(db: Db, records: readonly CaseRecord[], now: number): Promise<CaseRow[]> {
  const summaries = await summariesOf(
    db,
    records.map((it) => it.id),
  )
  const holds = await lastHoldsOf(
    db,
    records.map((it) => it.targetId),
  )
  const excerpts = await excerptsOf(db, records, summaries)
  const people = await findPeople(
    db,
    records.flatMap((it) => [it.ownerId, it.takenBy].filter((id) => id !== null)),
  )
  return records.map((it) => {
    const owner = people.get(it.ownerId ?? '')
    const holder = people.get(holderOf(it, now) ?? '')
    const { reasons = [] } = summaries.get(it.id) ?? {}
    return {
      id: it.id,
      kind: it.targetKind,
      target_id: it.targetId,
      owner: owner && owner.state !== 'gone' ? personView(owner) : null,
      state: it.state,
      reports: it.reports,
      reasons: [...reasons],
      excerpt: excerpts.get(it.id) ?? '',
      hold: holdView(holds.get(it.targetId)),
      since: it.since.toISOString(),
      taken:
        holder && it.takenUntil
          ? { by: { id: holder.id, name: holder.name }, until: it.takenUntil.toISOString() }
          : null,
    }
  })
}

const holdView = (it: HoldRow | undefined): CaseRow['hold'] =>
  it
    ? {
        reason: it.reason,
        word: it.word,
        distance: it.distance,
        state: it.state,
        since: it.createdAt.toISOString(),
      }
    : null

/** The beginning of reported texts; '' for a message, which a report does not quote. */
const excerptOf = (quoted: Readonly<Record<string, string>>): string =>
  beginning([quoted['title'], quoted['content'], quoted['bio']].filter(Boolean).join(' ')) ?? ''

/** The beginnings of the texts of cases, by case: as reported, or, of what was held without a report, as it is. */
async function excerptsOf(
  db: Db,
  records: readonly CaseRecord[],
  summaries: ReadonlyMap<string, CaseSummary>,
): Promise<Map<string, string>> {
  const unreported = records.filter((it) => !summaries.has(it.id))
  const texts = await textsOf(
    db,
    unreported.map((it) => it.targetId),
  )
  return new Map(
    records.map((it) => [
      it.id,
      excerptOf(summaries.get(it.id)?.quoted ?? { content: texts.get(it.targetId) ?? '' }),
    ]),
  )
}

/** As `excerpt` of the row of a case. */
export async function excerptFor(db: Db, found: CaseRecord): Promise<string> {
  return (await excerptsOf(db, [found], await summariesOf(db, [found.id]))).get(found.id) ?? ''
}
