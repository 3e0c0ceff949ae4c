// Inquiries as lists and pages of staff show them.
import type { InquiryRow, InquiryView } from '#contract/inquiries/admin-inquiries.ts'
import type { Deps } from '#server/deps.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf, mayMeasure } from '#server/rules/moderation/restrictions.ts'
import { beginning } from '#server/services/notifications/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { caseOfReport, type InquiryRecord, listEvents } from '#server/store/inquiries/inquiries.ts'
import { findCase } from '#server/store/moderation/cases.ts'
import { findPeople, findUser } from '#server/store/people/people.ts'
import { currentContent } from './case-view.ts'
import { mayDisclose } from './inquiry-access.ts'
import { eventText, textsOf } from './inquiry-texts.ts'

/** Rows of inquiries, in the same order. */
export async function inquiryRows(deps: Deps, records: readonly InquiryRecord[]): Promise<InquiryRow[]> {
  const people = await findPeople(
    deps.db,
    records.flatMap((it) => it.takenBy ?? []),
  )
  return records.map((it) => {
    const holder = people.get(holderOf(it, deps.clock()) ?? '')
    const { name, text } = textsOf(deps, it)
    const received = it.receivedAt ?? it.createdAt
    return {
      id: it.id,
      number: it.number,
      kind: it.kind,
      state: it.state,
      outcome: it.outcome,
      name,
      excerpt: beginning(text) ?? '',
      received_at: received.toISOString(),
      due_at: (it.dueAt ?? received).toISOString(),
      decided_at: it.decidedAt?.toISOString() ?? null,
      taken:
        holder && it.takenUntil
          ? { by: { id: holder.id, name: holder.name }, until: it.takenUntil.toISOString() }
          : null,
    }
  })
}

export async function inquiryView(deps: Deps, viewer: Viewer, found: InquiryRecord): Promise<InquiryView> {
  const [row] = await inquiryRows(deps, [found])
  if (!row) throw new Error('an inquiry has no row')
  const { email, url, right, text, reason } = textsOf(deps, found)
  const events = await listEvents(deps.db, found.id)
  const people = await findPeople(deps.db, [
    ...events.flatMap((it) => it.staffId ?? []),
    ...(found.senderId === null ? [] : [found.senderId]),
  ])
  const sender = people.get(found.senderId ?? '')
  return {
    ...row,
    email,
    url,
    right,
    text,
    reason,
    may_tell_name: found.mayTellName,
    sender: sender && sender.state !== 'gone' ? personView(sender) : null,
    opinion: found.opinion,
    opinion_due_at: found.opinionDueAt?.toISOString() ?? null,
    events: events.map((it) => {
      const by = people.get(it.staffId ?? '')
      return {
        act: it.act,
        at: it.at.toISOString(),
        text: eventText(deps, it),
        by: by ? { id: by.id, name: by.name } : null,
      }
    }),
    content: await contentOf(deps, viewer, found),
  }
}

async function contentOf(
  deps: Deps,
  viewer: Viewer,
  { targetKind, targetId, ownerId, reportId }: InquiryRecord,
): Promise<InquiryView['content']> {
  if (targetKind === null || targetId === null) return null
  const { db } = deps
  const owner = ownerId === null ? undefined : await findUser(db, ownerId)
  const person = ownerId === null ? undefined : (await findPeople(db, [ownerId])).get(ownerId)
  const caseId = reportId === null ? undefined : await caseOfReport(db, reportId)
  const found = caseId === undefined ? undefined : await findCase(db, caseId)
  const { state, text, media, post_id } = await currentContent(deps, viewer, { targetKind, targetId })
  return {
    kind: targetKind,
    target_id: targetId,
    owner: person && person.state !== 'gone' ? personView(person) : null,
    state,
    text,
    // Files of a post are readable by staff through its case alone (`permit.ts`).
    media: found || mayDisclose(viewer) ? media : [],
    post_id,
    case_id: found?.id ?? null,
    reports: found?.reports ?? 0,
    may_measure_person:
      owner !== undefined && owner.deletedAt === null && mayMeasure(viewer.role, owner.role),
  }
}
