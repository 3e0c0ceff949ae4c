// Appeals: sent by the person of a decision, and answered by other staff.
import { APPEAL_MS } from '#contract/moderation/measures.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { lockCase, type CaseRecord, setCase } from '#server/store/moderation/cases.ts'
import {
  addAppeal,
  answerAppealRow,
  appealsOf,
  type DecisionRow,
  findDecision,
  findLastDecision,
} from '#server/store/moderation/decisions.ts'
import { approveHold } from '#server/services/holds/hold.ts'
import { reopenHold } from '#server/store/moderation/holds.ts'
import { dismissActed } from '#server/store/reactions/reports.ts'
import { countStaff } from '#server/store/staff/staff.ts'
import { heldThingOf, requireRead, takenCase } from './access.ts'
import { endDecision } from './decide.ts'
import { sendAnswer } from './emails.ts'

/** Sends the appeal of a decision. @throws ApiError `gone` when none is accepted any more */
export function appeal(deps: Deps, decisionId: string, text: string): Promise<void> {
  const now = deps.clock()
  return deps.transaction(async ({ tx }) => {
    const decision = await findDecision(tx, decisionId)
    const found = decision && (await lockCase(tx, decision.caseId))
    if (!decision || !found) throw new ApiError('not_found')
    const before = (await appealsOf(tx, [decision.id])).get(decision.id)
    if (before?.text === text) return
    const last = await findLastDecision(tx, found.id)
    if (before || last?.id !== decision.id || isTooLate(decision, now)) throw new ApiError('gone')
    await addAppeal(tx, { decisionId: decision.id, text, sentAt: new Date(now) })
    await setCase(tx, found.id, { state: 'appealed', since: new Date(now), takenBy: null, takenUntil: null })
  })
}

export const isTooLate = ({ decidedAt }: DecisionRow, now: number): boolean =>
  decidedAt.getTime() + APPEAL_MS <= now

interface Answer {
  readonly viewer: Viewer
  readonly caseId: string
  readonly granted: boolean
  readonly answer: string
  readonly ip: string
}

/** @throws ApiError `forbidden` when the viewer made the decision and other staff could answer */
export function answer(
  deps: Deps,
  { viewer, caseId, granted, answer: text, ip }: Answer,
): Promise<CaseRecord> {
  const now = deps.clock()
  return deps.transaction(async (unit) => {
    const { tx, audit } = unit
    const found = await takenCase(tx, viewer, caseId, 'appealed', now)
    await requireRead(tx, viewer, { found, keeps: granted })
    const last = await findLastDecision(tx, found.id)
    if (!last) throw new ApiError('conflict')
    if (last.decidedBy === viewer.id && (await countStaff(tx, 'reports')) > 1) throw new ApiError('forbidden')
    await answerAppealRow(tx, last.id, { state: granted ? 'granted' : 'upheld', text, by: viewer.id, now })
    if (granted) {
      await endDecision(deps, unit, last.id, viewer.id)
      const thing = heldThingOf(found)
      if (thing) {
        await reopenHold(tx, thing)
        await approveHold(unit, thing, now)
      }
      await dismissActed(tx, found.id, last.decidedAt)
    }
    await sendAnswer(deps, unit, last.id, granted, text)
    audit({
      actorId: viewer.id,
      act: 'case.answer',
      subjectKind: 'case',
      subjectId: found.id,
      detail: { decision: last.id, granted, own: last.decidedBy === viewer.id },
      ip,
    })
    // Reports that came meanwhile wait for a decision of their own.
    const state = found.reports > 0 ? 'open' : 'decided'
    return setCase(tx, found.id, { state, since: new Date(now), takenBy: null, takenUntil: null })
  })
}
