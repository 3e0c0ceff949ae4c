// Views of audit entries, with the people whose accounts exist.
import type { AuditEntryView } from '#contract/administration/audit.ts'
import { personView } from '#server/services/people/person-view.ts'
import type { StoredEntry } from '#server/store/audit/chain.ts'
import type { Db } from '#server/store/database.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'

/** The person whom an entry is about; undefined if it is about something else. */
export const subjectOf = ({ subjectKind, subjectId }: StoredEntry) =>
  subjectKind === 'user' ? subjectId : undefined

/** People of entries whose accounts exist. */
export async function peopleOf(db: Db, rows: readonly StoredEntry[]): Promise<Map<string, Person>> {
  const found = await findPeople(
    db,
    rows.flatMap((it) => [it.actorId, subjectOf(it) ?? []].flat()),
  )
  return new Map([...found].filter(([, it]) => it.state !== 'gone'))
}

export function entryView(row: StoredEntry, people: ReadonlyMap<string, Person>): AuditEntryView {
  const [actor, subject] = [people.get(row.actorId), people.get(subjectOf(row) ?? '')]
  return {
    seq: row.seq,
    id: row.id,
    at: row.at.toISOString(),
    act: row.act,
    actor_id: row.actorId,
    actor: actor ? personView(actor) : null,
    subject_kind: row.subjectKind,
    subject_id: row.subjectId,
    subject: subject ? personView(subject) : null,
    detail: { ...row.detail },
    ip: row.ip,
  }
}
