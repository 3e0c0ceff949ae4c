// Asks about a taken inquiry, and decides it, also with its case.
import type { InquiryDecision, InquiryMeasure } from '#contract/inquiries/admin-inquiries.ts'
import { opinionMs, outcomesOf } from '#contract/inquiries/states.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import {
  caseOfReport,
  closeReport,
  type InquiryRecord,
  setInquiry,
} from '#server/store/inquiries/inquiries.ts'
import { findLastDecision } from '#server/store/moderation/decisions.ts'
import { findUser } from '#server/store/people/people.ts'
import { lockedCase, requireRead } from './access.ts'
import { currentContent } from './case-view.ts'
import { decideLocked } from './decide.ts'
import { takenInquiry } from './inquiry-access.ts'
import { restoreRequested } from './intimate-requests.ts'
import { emailSender, pageOf, record, textsOf } from './inquiry-texts.ts'

interface Acting {
  readonly viewer: Viewer
  readonly id: string
  readonly ip: string
}

const free = { takenBy: null, takenUntil: null }

/** Asks the sender for more. @throws ApiError `conflict` unless taken, and while an answer is awaited */
export function askTheSender(deps: Deps, { viewer, id, ip }: Acting, text: string): Promise<void> {
  return deps.transaction(async (unit) => {
    const found = await takenInquiry(unit.tx, viewer, id, deps.clock())
    if (found.state !== 'in_progress') throw new ApiError('conflict')
    await record(deps, unit, id, { act: 'asked_sender', text, staffId: viewer.id })
    await emailSender(deps, unit, found, { is: 'inquiry_question', text })
    const subject = { subjectKind: 'inquiry', subjectId: id } as const
    unit.audit({ actorId: viewer.id, act: 'inquiry.ask_sender', ...subject, ip })
    await setInquiry(unit.tx, id, { state: 'asked_sender', ...free })
  })
}

/** Requests an opinion of the author, once (意見照会). @throws ApiError `conflict` as the endpoint says */
export function askTheAuthor(deps: Deps, { viewer, id, ip }: Acting, text: string): Promise<void> {
  return deps.transaction(async (unit) => {
    const found = await takenInquiry(unit.tx, viewer, id, deps.clock())
    const owner = found.ownerId === null ? undefined : await findUser(unit.tx, found.ownerId)
    const isAskable = found.state === 'in_progress' && found.opinionDueAt === null
    if (!isAskable || !owner || owner.deletedAt !== null) throw new ApiError('conflict')
    const due = deps.clock() + opinionMs(found.kind)
    const { name, url, right, text: claim } = textsOf(deps, found)
    await record(deps, unit, id, { act: 'asked_author', text, staffId: viewer.id })
    await unit.email(owner, {
      is: 'inquiry_opinion',
      kind: found.kind,
      number: found.number,
      url: pageOf(deps, id, 'author'),
      name: found.mayTellName ? name : '',
      content: url,
      right,
      claim,
      text,
      due,
      hides: false,
    })
    const subject = { subjectKind: 'inquiry', subjectId: id } as const
    unit.audit({ actorId: viewer.id, act: 'inquiry.ask_author', ...subject, ip })
    await setInquiry(unit.tx, id, { state: 'asked_author', opinionDueAt: new Date(due), ...free })
  })
}

/** @throws ApiError as the endpoint says */
export function decideTaken(deps: Deps, acting: Acting, wanted: InquiryDecision): Promise<void> {
  const { viewer, id, ip } = acting
  const { outcome, text_to_sender: text, measure } = wanted
  return deps.transaction(async (unit) => {
    const now = deps.clock()
    const found = await takenInquiry(unit.tx, viewer, id, now)
    await mustFit({ ...deps, db: unit.tx }, viewer, found, wanted)
    const decisionId = measure
      ? await takeMeasure(deps, unit, acting, found, measure)
      : await leaveCase(unit, found, outcome === 'removed' || outcome === 'partly', now)
    if (outcome === 'refused') await restoreRequested(unit, found, now)
    await record(deps, unit, id, { act: 'decided', text, staffId: viewer.id })
    await emailSender(deps, unit, found, { is: 'inquiry_decided', outcome, text })
    unit.audit({
      actorId: viewer.id,
      act: 'inquiry.decide',
      subjectKind: 'inquiry',
      subjectId: id,
      detail: { outcome, decision: decisionId },
      ip,
    })
    await setInquiry(unit.tx, id, {
      state: 'decided',
      outcome,
      decidedAt: new Date(now),
      decisionId,
      ...free,
    })
  })
}

/** @throws ApiError `invalid`; `conflict` while the author may still answer */
async function mustFit(
  deps: Deps,
  viewer: Viewer,
  found: InquiryRecord,
  { outcome, measure }: InquiryDecision,
): Promise<void> {
  if (!outcomesOf[found.kind].includes(outcome)) throw new ApiError('invalid', { outcome: 'unsupported' })
  if (found.state === 'asked_author' && outcome !== 'refused') throw new ApiError('conflict')
  const mayMeasure = outcome === 'removed' || (outcome === 'partly' && found.kind !== 'disclosure')
  if (measure && (!mayMeasure || found.reportId === null))
    throw new ApiError('invalid', { measure: 'unsupported' })
  // Data are disclosed only after the author was heard, or had the time to answer.
  if (outcome === 'disclosed' && found.ownerId !== null && found.opinion === null)
    throw new ApiError('invalid', { opinion: 'required' })
  const { targetKind, targetId } = found
  // What shows a person against their will is deleted for good: hidden, it would have no end and no refund.
  const suffices = found.kind === 'intimate' ? measure?.content === 'remove' : measure !== null
  if (outcome !== 'removed' || suffices || targetKind === null || targetId === null) return
  const { state } = await currentContent(deps, viewer, { targetKind, targetId })
  const isThere = state === 'present' || (found.kind === 'intimate' && state !== 'deleted')
  if (isThere) throw new ApiError('invalid', { measure: 'required' })
}

/** Decides the case of a claim. @returns the id of its decision */
async function takeMeasure(
  deps: Deps,
  unit: Unit,
  { viewer, ip }: Acting,
  inquiry: InquiryRecord,
  { seen, ...measure }: InquiryMeasure,
): Promise<string> {
  const caseId = inquiry.reportId === null ? undefined : await caseOfReport(unit.tx, inquiry.reportId)
  if (caseId === undefined) throw new ApiError('conflict')
  const found = await lockedCase(unit.tx, viewer, caseId)
  const holder = holderOf(found, deps.clock())
  const isFree = holder === null || holder === viewer.id
  if (!isFree || found.state === 'appealed' || found.reports !== seen) throw new ApiError('conflict')
  // Other reports are decided with that of the inquiry, whose page does not show them.
  if (found.reports > 1) await requireRead(unit.tx, viewer, { found, keeps: false })
  const rule = inquiry.kind === 'copyright' ? 'copyright' : 'privacy'
  const decision = { is: 'act', rule, ...measure } as const
  return (await decideLocked(deps, unit, { viewer, found, decision, note: '', ip })).decisionId
}

/**
 * Closes the report of a claim that needs no measure.
 * @param acted whether the content was acted on before, by a decision of the case
 * @returns the id of that decision, which opens the inquiry again when it is undone
 */
async function leaveCase(
  { tx }: Unit,
  { reportId }: InquiryRecord,
  acted: boolean,
  now: number,
): Promise<string | null> {
  if (reportId === null) return null
  const caseId = await caseOfReport(tx, reportId)
  const last = acted && caseId !== undefined ? await findLastDecision(tx, caseId) : undefined
  await closeReport(tx, reportId, now)
  return last?.outcome === 'acted' ? last.id : null
}
