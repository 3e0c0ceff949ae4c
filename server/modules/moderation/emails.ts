// Notifies the person of a decision, and of the answer to an appeal.
import type { ReportReason } from '#contract/posts/reports.ts'
import { APPEAL_MS } from '#contract/moderation/measures.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { decisionUrl } from '#server/services/auth/decision-link.ts'
import { type DecisionRow, findDecision } from '#server/store/moderation/decisions.ts'
import { measuresOf } from '#server/store/moderation/measures.ts'
import { findUser } from '#server/store/people/people.ts'

export async function sendDecision(deps: Deps, unit: Unit, decisionId: string): Promise<void> {
  const decision = await findDecision(unit.tx, decisionId)
  const person = decision?.personId ? await findUser(unit.tx, decision.personId) : undefined
  if (!decision || !person || person.deletedAt !== null) return
  const measures = (await measuresOf(unit.tx, [decisionId])).get(decisionId) ?? []
  await unit.notify({ is: 'measure', to: person.id, decisionId })
  await unit.email(person, {
    is: 'measure',
    excerpt: decision.excerpt,
    rule: decision.rule as ReportReason,
    text: decision.textToPerson,
    measures: measures.map(({ kind, until }) => ({ kind, until: until?.getTime() ?? null })),
    url: decisionUrl(deps, decisionId),
    appealUntil: decision.decidedAt.getTime() + APPEAL_MS,
  })
}

/** Tells the person of an undone decision, who may have been signed out by it. */
export async function sendUndone({ settings }: Deps, unit: Unit, decision: DecisionRow): Promise<void> {
  const person = decision.personId ? await findUser(unit.tx, decision.personId) : undefined
  if (decision.outcome !== 'acted' || !person || person.deletedAt !== null) return
  const measures = (await measuresOf(unit.tx, [decision.id])).get(decision.id) ?? []
  await unit.notify({ is: 'measure', to: person.id, decisionId: decision.id })
  await unit.email(person, {
    is: 'measure_undone',
    measures: measures.map(({ kind }) => kind),
    url: `${settings.publicUrl}/settings/reports?show=decisions`,
  })
}

export async function sendAnswer(
  { settings }: Deps,
  unit: Unit,
  decisionId: string,
  granted: boolean,
  text: string,
): Promise<void> {
  const decision = await findDecision(unit.tx, decisionId)
  const person = decision?.personId ? await findUser(unit.tx, decision.personId) : undefined
  if (!person || person.deletedAt !== null) return
  await unit.notify({ is: 'measure', to: person.id, decisionId })
  await unit.email(person, {
    is: 'appeal_answered',
    granted,
    text,
    url: `${settings.publicUrl}/settings/reports`,
  })
}
