// Decides a case, undoes a decision, and ends measures.
import { mayUse } from '#contract/administration/areas.ts'
import { newId } from '#contract/ids.ts'
import type { Decision } from '#contract/moderation/cases.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf, mayMeasure, planOf, type PlannedMeasure } from '#server/rules/moderation/restrictions.ts'
import { approveHold } from '#server/services/holds/hold.ts'
import { applyMeasures } from '#server/services/moderation/apply.ts'
import { type CaseRecord, setCase } from '#server/store/moderation/cases.ts'
import {
  addDecision,
  type DecisionRow,
  findDecision,
  findLastDecision,
  markUndone,
} from '#server/store/moderation/decisions.ts'
import { endHold, reopenHold } from '#server/store/moderation/holds.ts'
import {
  addMeasures,
  endMeasuresOf,
  isFinal,
  markUnchanged,
  measuresOf,
  type Subject,
} from '#server/store/moderation/measures.ts'
import { decideReports, reopenReports } from '#server/store/reactions/reports.ts'
import type { Db } from '#server/store/database.ts'
import { accountState } from '#server/store/people/people.ts'
import { lockRole, lockStaff } from '#server/store/staff/staff.ts'
import { hasWork, heldThingOf, lockedCase, requireRead, takenCase } from './access.ts'
import { excerptFor } from './case-rows.ts'
import { sendDecision, sendUndone } from './emails.ts'
import { reopenInquiries } from './inquiry-texts.ts'

interface Act {
  readonly viewer: Viewer
  readonly caseId: string
  readonly ip: string
}

interface Acting extends Act {
  /** Number of undecided reports that the page showed. */
  readonly seen: number
  readonly decision: Decision
  /** For other staff alone; '' for nothing. */
  readonly note: string
}

export function decide(
  deps: Deps,
  { viewer, caseId, seen, decision, note, ip }: Acting,
): Promise<CaseRecord> {
  const now = deps.clock()
  return deps.transaction(async (unit) => {
    const found = await takenCase(unit.tx, viewer, caseId, 'open', now)
    if (found.reports !== seen) throw new ApiError('conflict')
    await requireRead(unit.tx, viewer, { found, keeps: decision.is !== 'act' })
    return (await decideLocked(deps, unit, { viewer, found, decision, note, ip })).found
  })
}

interface Deciding extends Pick<Acting, 'viewer' | 'decision' | 'note' | 'ip'> {
  /** Locked in this transaction. */
  readonly found: CaseRecord
}

/** Decides a locked case with all of its open reports. @returns the case, and the id of the decision */
export async function decideLocked(
  deps: Deps,
  unit: Unit,
  { viewer, found, decision, note, ip }: Deciding,
): Promise<{ found: CaseRecord; decisionId: string }> {
  const { tx } = unit
  const now = deps.clock()
  const id = newId()
  const textToReporters = decision.is === 'approve' ? '' : decision.text_to_reporters
  // Reporters are informed: their case is dismissed with a text.
  if (decision.is === 'approve' && found.reports > 0) throw new ApiError('conflict')
  if (textToReporters === '' && found.reports > 0)
    throw new ApiError('invalid', { text_to_reporters: 'required' })
  const acted = decision.is === 'act' ? decision : undefined
  const planned = acted ? await plannedFor(unit, viewer, found, acted, now) : []
  await addDecision(tx, {
    id,
    caseId: found.id,
    personId: found.ownerId,
    outcome: acted ? 'acted' : 'dismissed',
    rule: acted?.rule ?? null,
    textToPerson: acted?.text_to_person ?? '',
    textToReporters,
    excerpt: await excerptFor(tx, found),
    note,
    decidedBy: viewer.id,
    decidedAt: new Date(now),
  })
  await take(unit, found, id, planned, now)
  await settleHold(unit, found, planned, now)
  const state = acted ? 'acted' : 'dismissed'
  const reporters = await decideReports(tx, found.id, { state, answer: textToReporters, now })
  for (const it of reporters) await unit.notify({ is: 'report', to: it.reporterId, reportId: it.id })
  if (acted) await sendDecision(deps, unit, id)
  unit.audit({
    actorId: viewer.id,
    act: 'case.decide',
    subjectKind: 'case',
    subjectId: found.id,
    detail: { decision: id, measures: planned.map((it) => it.kind), until: endOf(planned) },
    ip,
  })
  const free = { takenBy: null, takenUntil: null }
  const decided = await setCase(tx, found.id, { state: 'decided', reports: 0, since: new Date(now), ...free })
  return { found: decided, decisionId: id }
}

/** Ends the hold of the content: measures that withhold it keep it away, all other decisions show it. */
async function settleHold(
  unit: Unit,
  found: CaseRecord,
  planned: readonly PlannedMeasure[],
  now: number,
): Promise<void> {
  const thing = heldThingOf(found)
  if (!thing) return
  const withholds = planned.some(({ kind }) => kind === 'hide' || kind === 'remove')
  if (withholds) await endHold(unit.tx, thing, 'removed', now)
  else await approveHold(unit, thing, now)
}

/** The end of a measure of a person, ms; 0 without an end. */
const endOf = (planned: readonly PlannedMeasure[]): number =>
  Math.max(0, ...planned.map((it) => it.until?.getTime() ?? 0))

async function plannedFor(
  { tx }: Unit,
  viewer: Viewer,
  found: CaseRecord,
  wanted: Extract<Decision, { is: 'act' }>,
  now: number,
): Promise<readonly PlannedMeasure[]> {
  // Of two admins who suspend each other at once, one stays: roles are locked in the order of `changeRole`.
  if (wanted.person !== null) await mustStillAct(tx, viewer)
  const owner = found.ownerId === null ? undefined : await lockRole(tx, found.ownerId)
  const plan = planOf(found.targetKind, owner !== undefined, wanted, now)
  if (plan.is === 'invalid') throw new ApiError('invalid', plan.fields)
  if (owner && wanted.person !== null && !mayMeasure(viewer.role, owner.role)) throw new ApiError('forbidden')
  return plan.measures
}

/** @throws ApiError `not_found` for a viewer who has lost the role or the account meanwhile */
async function mustStillAct(tx: Db, { id }: Viewer): Promise<void> {
  const staff = await lockStaff(tx)
  const isStaff = staff.some((it) => it.id === id && mayUse(it.role, 'reports'))
  // Read again, since the lock may have waited for a suspension.
  if (!isStaff || (await accountState(tx, id)) !== 'present') throw new ApiError('not_found')
}

/** Stores the measures of a decision, and makes what they are about follow them. */
async function take(
  unit: Unit,
  found: CaseRecord,
  decisionId: string,
  planned: readonly PlannedMeasure[],
  now: number,
): Promise<void> {
  const rows = planned.map(({ kind, about, until }) => ({
    id: newId(),
    decisionId,
    kind,
    ...subjectOf(found, about),
    beganAt: new Date(now),
    until,
  }))
  await addMeasures(unit.tx, rows)
  for (const row of rows) {
    const { ageLimited } = await applyMeasures(unit, row, now)
    if (row.kind === 'age_limit' && !ageLimited) await markUnchanged(unit.tx, decisionId)
    if (row.until) {
      const seconds = Math.ceil((row.until.getTime() - now) / 1000)
      await unit.enqueue('measures.end', {}, { seconds })
    }
  }
}

function subjectOf({ targetKind, targetId, ownerId }: CaseRecord, about: 'content' | 'person'): Subject {
  if (about === 'content') return { targetKind, targetId }
  if (ownerId === null) throw new Error('a measure about a person without an account')
  return { targetKind: 'person', targetId: ownerId }
}

interface Undoing extends Act {
  /** Undefined for the last decision. */
  readonly decisionId: string | undefined
}

/** Undoes a decision of a case, which is open again if reports or a hold wait for another decision. */
export function undo(deps: Deps, { viewer, caseId, decisionId, ip }: Undoing): Promise<CaseRecord> {
  const now = deps.clock()
  return deps.transaction(async (unit) => {
    const { tx, audit } = unit
    const found = await lockedCase(tx, viewer, caseId)
    const holder = holderOf(found, now)
    if (found.state !== 'decided' || (holder !== null && holder !== viewer.id)) throw new ApiError('conflict')
    const last = await findLastDecision(tx, found.id)
    const undone = decisionId === undefined ? last : await findStanding(tx, found.id, decisionId)
    if (!undone) throw new ApiError('gone')
    await mustBeUndoable(unit, viewer, found, undone.id)
    await endDecision(deps, unit, undone.id, viewer.id)
    await sendUndone(deps, unit, undone)
    const thing = heldThingOf(found)
    // A later decision keeps what it did with the hold.
    if (thing && undone.id === last?.id) await reopenHold(tx, thing)
    const reports = await reopenReports(tx, found.id, undone.decidedAt)
    audit({
      actorId: viewer.id,
      act: 'case.undo',
      subjectKind: 'case',
      subjectId: found.id,
      detail: { decision: undone.id },
      ip,
    })
    if (!(await hasWork(tx, { ...found, reports }))) return found
    return setCase(tx, found.id, { state: 'open', reports, since: new Date(now) })
  })
}

/** A decision of the case that was not undone. */
async function findStanding(tx: Db, caseId: string, id: string): Promise<DecisionRow | undefined> {
  const found = await findDecision(tx, id)
  return found?.caseId === caseId && found.undoneAt === null ? found : undefined
}

/** @throws ApiError `gone` for content removed for good; `forbidden` for a measure about other staff */
async function mustBeUndoable(
  { tx }: Unit,
  viewer: Viewer,
  found: CaseRecord,
  decisionId: string,
): Promise<void> {
  const all = (await measuresOf(tx, [decisionId])).get(decisionId) ?? []
  if (all.some((it) => it.kind === 'remove') && (await isFinal(tx, found))) throw new ApiError('gone')
  const owner = found.ownerId === null ? undefined : await lockRole(tx, found.ownerId)
  const isAboutPerson = all.some((it) => it.targetKind === 'person')
  if (owner && isAboutPerson && !mayMeasure(viewer.role, owner.role)) throw new ApiError('forbidden')
}

/** Ends the measures of a decision, and marks it as undone. Inquiries that it decided are open again. */
export async function endDecision(deps: Deps, unit: Unit, decisionId: string, by: string): Promise<void> {
  const now = deps.clock()
  const ended = await endMeasuresOf(unit.tx, decisionId, now)
  for (const it of ended) await applyMeasures(unit, it, now)
  await markUndone(unit.tx, decisionId, by, now)
  await reopenInquiries(deps, unit, decisionId)
}
