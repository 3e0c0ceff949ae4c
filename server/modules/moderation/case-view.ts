// A case with its content, its reports, and the history of its owner.
import { commentColumns, postColumns } from '#server/store/personal/content.ts'
import { quotedText, storedQuoteText } from '#server/store/personal/duties.ts'
import { accountColumns } from '#server/store/personal/people.ts'
import type { CaseReport, CaseView } from '#contract/moderation/cases.ts'
import type { ReportReason } from '#contract/posts/reports.ts'
import type { Deps } from '#server/deps.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { mayMeasure } from '#server/rules/moderation/restrictions.ts'
import { signedAddresses } from '#server/services/media/addresses.ts'
import { mediaViews } from '#server/services/media/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import type { Db } from '#server/store/database.ts'
import { numbersOfReports } from '#server/store/inquiries/inquiries.ts'
import { type CaseRecord, summariesOf } from '#server/store/moderation/cases.ts'
import { listDecisionsAbout, listDecisionsOf } from '#server/store/moderation/decisions.ts'
import { measuresOf } from '#server/store/moderation/measures.ts'
import { isWithheldPost, stateOfComment } from '#server/store/moderation/withheld.ts'
import { findPeople, findUser } from '#server/store/people/people.ts'
import { factsOfPosts, type PostFacts } from '#server/store/posts/post-facts.ts'
import { countReportsOf, listReportsOf } from '#server/store/reactions/reports.ts'
import { messagesOf } from './access.ts'
import { caseRows } from './case-rows.ts'
import { caseDecisions } from './decision-views.ts'

const MAX_REPORTS = 100
const MAX_EARLIER = 20

export async function caseView(deps: Deps, viewer: Viewer, found: CaseRecord): Promise<CaseView> {
  const { db, clock } = deps
  const [row] = await caseRows(db, [found], clock())
  if (!row) throw new Error('a case has no row')
  const owner = found.ownerId === null ? undefined : await findUser(db, found.ownerId)
  const messages = await messagesOf(db, viewer, found)
  const reports = found.ownerId === null ? { about: 0, by: 0 } : await countReportsOf(db, found.ownerId)
  const reported = { ...(await summariesOf(db, [found.id])).get(found.id)?.quoted }
  return {
    ...row,
    reported,
    reported_text: reportedText(found.targetKind, reported),
    current: await currentContent(deps, viewer, found),
    messages: messages && { report_id: messages.reportId, shown: messages.shown },
    history: await reportsOf(db, found.id),
    decisions: await caseDecisions(db, await listDecisionsOf(db, found.id)),
    earlier: await earlierOf(db, found),
    counts: { reports_about: reports.about, reports_by: reports.by },
    may_measure_person:
      owner !== undefined && owner.deletedAt === null && mayMeasure(viewer.role, owner.role),
  }
}

function reportedText(kind: CaseRecord['targetKind'], quoted: Readonly<Record<string, string>>): string {
  if (kind === 'message') return ''
  const of = { post: postColumns, comment: commentColumns, person: accountColumns } as const
  return storedQuoteText(of[kind], quoted)
}

async function reportsOf(db: Db, caseId: string): Promise<CaseReport[]> {
  const rows = await listReportsOf(db, caseId, MAX_REPORTS)
  const people = await findPeople(
    db,
    rows.flatMap((it) => it.reporterId ?? []),
  )
  const inquiries = await numbersOfReports(
    db,
    rows.map((it) => it.id),
  )
  return rows.map((it) => {
    const reporter = people.get(it.reporterId ?? '')
    return {
      id: it.id,
      reporter: reporter && reporter.state !== 'gone' ? personView(reporter) : null,
      reason: it.reason as ReportReason,
      detail: it.detail,
      created_at: it.createdAt.toISOString(),
      is_decided: it.state !== 'open',
      inquiry: inquiries.get(it.id) ?? null,
    }
  })
}

async function earlierOf(db: Db, { id, ownerId }: CaseRecord): Promise<CaseView['earlier']> {
  if (ownerId === null) return []
  const rows = await listDecisionsAbout(db, ownerId, { exceptCase: id, limit: MAX_EARLIER })
  const measures = await measuresOf(
    db,
    rows.map((it) => it.id),
  )
  return rows.map((it) => ({
    id: it.id,
    case_id: it.caseId,
    kinds: (measures.get(it.id) ?? []).map(({ kind }) => kind),
    decided_at: it.decidedAt.toISOString(),
    undone: it.undoneAt !== null,
  }))
}

const absent: CaseView['current'] = {
  state: 'deleted',
  text: '',
  media: [],
  is_age_limited: false,
  post_id: null,
}

/** The content of a case as it is now. */
export function currentContent(
  deps: Deps,
  viewer: Viewer,
  found: Pick<CaseRecord, 'targetKind' | 'targetId'>,
): Promise<CaseView['current']> {
  switch (found.targetKind) {
    case 'post':
      return currentPost(deps, viewer, found.targetId)
    case 'comment':
      return currentComment(deps, found.targetId)
    case 'person':
      return currentPerson(deps, found.targetId)
    case 'message':
      // Staff read messages only through `getReportedMessages`.
      return Promise.resolve({ ...absent, state: 'present' })
    default:
      return found.targetKind satisfies never
  }
}

/** The whole post, whatever its type: staff decide about all of it. `permit.ts` lets staff read its files. */
async function currentPost(
  { db, secrets, clock }: Deps,
  viewer: Viewer,
  id: string,
): Promise<CaseView['current']> {
  const [post] = await factsOfPosts(db, undefined, [id], clock())
  if (!post) return absent
  const address = signedAddresses(secrets, viewer.id, clock())
  return {
    state: await stateOfPost(db, post),
    text: quotedText(postColumns, post),
    media: mediaViews(post.media, { own: false, address, original: address }),
    is_age_limited: post.isAgeLimited,
    post_id: null,
  }
}

async function stateOfPost(
  db: Db,
  { id, deletedAt, held }: Pick<PostFacts, 'id' | 'deletedAt' | 'held'>,
): Promise<CaseView['current']['state']> {
  if (deletedAt !== null) return (await isWithheldPost(db, id)) ? 'withheld' : 'deleted'
  return held === null ? 'present' : 'held'
}

async function currentComment({ db }: Deps, id: string): Promise<CaseView['current']> {
  const found = await stateOfComment(db, id)
  if (!found) return absent
  const state = found.isWithheld
    ? 'withheld'
    : found.isHeld
      ? 'held'
      : found.isDeleted
        ? 'deleted'
        : 'present'
  return { ...absent, state, text: quotedText(commentColumns, found), post_id: found.postId }
}

async function currentPerson({ db }: Deps, id: string): Promise<CaseView['current']> {
  const user = await findUser(db, id)
  if (!user || user.deletedAt !== null) return absent
  return {
    ...absent,
    state: user.suspendedAt === null ? 'present' : 'withheld',
    text: quotedText(accountColumns, user),
  }
}
