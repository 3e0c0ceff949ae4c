// One act on a check: the rule decides, and the check, the audit entry and the email change together.
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { advance, type CheckAct } from '#server/rules/identity.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'
import type { Db } from '#server/store/database.ts'
import { type CheckRow, lockCheck, moveCheck, setIdentified } from '#server/store/identity/identity.ts'
import { findCheck } from '#server/store/identity/reviews.ts'

export async function review(
  deps: Deps,
  checkId: string,
  act: CheckAct,
  ip: string,
): Promise<{ id: string; state: CheckRow['state'] }> {
  const state = await deps.transaction(async (unit) => {
    const { tx, notify } = unit
    const check = await lockCheck(tx, checkId)
    if (!check) throw new ApiError('not_found')
    const next = advance(check, act, deps.clock())
    if (next.is === 'refused') throw new ApiError(next.code)
    if (next.is === 'stands') return check.state
    await record(deps, unit, check, act, ip)
    if (act.is === 'approve' || act.is === 'reject')
      await notify({ is: 'identity', to: check.userId, checkId: check.id })
    return next.state
  })
  return { id: checkId, state }
}

async function record(
  { clock }: Deps,
  { tx, email: send }: Unit,
  check: CheckRow,
  act: CheckAct,
  ip: string,
): Promise<void> {
  const now = clock()
  const at = new Date(now)
  const entry = { actorId: act.by, subjectKind: 'identity_check', subjectId: check.id, ip } as const
  switch (act.is) {
    case 'take':
      await moveCheck(tx, check.id, { state: 'in_review', reviewerId: act.by, reviewStartedAt: at })
      return writeAudit(tx, { ...entry, act: 'identity.take', detail: { from: check.reviewerId } }, now)
    case 'return':
      await moveCheck(tx, check.id, { state: 'submitted', reviewerId: null, reviewStartedAt: null })
      return writeAudit(tx, { ...entry, act: 'identity.return' }, now)
    case 'approve': {
      await moveCheck(tx, check.id, { state: 'approved', decidedAt: at })
      await setIdentified(tx, check.userId, at)
      await writeAudit(tx, { ...entry, act: 'identity.approve' }, now)
      return send(await personOf(tx, check), { is: 'identity_approved' })
    }
    case 'reject': {
      const { reason, note } = act
      await moveCheck(tx, check.id, { state: 'rejected', decidedAt: at, reason, note })
      await writeAudit(tx, { ...entry, act: 'identity.reject', detail: { reason } }, now)
      const email = { is: 'identity_rejected', reason: rejectSentences[reason], note } as const
      return send(await personOf(tx, check), email)
    }
    default:
      act satisfies never
  }
}

async function personOf(tx: Db, check: CheckRow): Promise<{ email: string; name: string }> {
  const found = await findCheck(tx, check.id)
  if (!found) throw new Error('a check has no person')
  return { email: found.email, name: found.name }
}
