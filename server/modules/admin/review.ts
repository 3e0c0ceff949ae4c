// Performs a review action on an identity check, with its audit entry and email. One transaction has all of them.
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { advance, type CheckAction, isSeen } from '#server/rules/identity.ts'
import { publishRights } from '#server/services/people/publish-rights.ts'
import type { Db } from '#server/store/database.ts'
import { lockFacts } from '#server/store/accounts/own-info.ts'
import {
  type CheckRow,
  listCheckFiles,
  lockCheck,
  moveCheck,
  setIdentified,
} from '#server/store/identity/identity.ts'
import { findCheck } from '#server/store/identity/reviews.ts'
import { shownFiles } from './shown.ts'

export async function performAction(
  deps: Deps,
  checkId: string,
  action: CheckAction,
  ip: string,
): Promise<{ id: string; state: CheckRow['state'] }> {
  const state = await deps.transaction(async (unit) => {
    const { tx, notify } = unit
    const check = await lockCheck(tx, checkId)
    if (!check) throw new ApiError('not_found')
    const result = advance(check, action, deps.clock())
    if (result.is === 'refused') throw new ApiError(result.code)
    if (result.is === 'stands') return check.state
    if (action.is === 'approve') await requireSeen(tx, check, action)
    await record(deps, unit, check, action, ip)
    publishRights(unit, check.userId)
    if (action.is === 'approve' || action.is === 'reject')
      await notify({ is: 'identity', to: check.userId, checkId: check.id })
    return result.state
  })
  return { id: checkId, state }
}

/** @throws ApiError `unseen` unless this reviewer was shown every part, and the account still says what the reviewer compared */
async function requireSeen(
  tx: Db,
  check: CheckRow,
  { by, compared }: Extract<CheckAction, { is: 'approve' }>,
): Promise<void> {
  const files = await listCheckFiles(tx, check.id)
  if (!isSeen(check.documentKind, files, await shownFiles(tx, by, files))) throw new ApiError('unseen')
  const facts = await lockFacts(tx, check.userId)
  const isSame =
    facts?.legalName === compared.legalName &&
    facts.legalNameKana === compared.legalNameKana &&
    facts.birthDate === compared.birthDate
  if (!isSame) throw new ApiError('unseen')
}

async function record(
  { clock }: Deps,
  { tx, audit, email: send }: Unit,
  check: CheckRow,
  action: CheckAction,
  ip: string,
): Promise<void> {
  const at = new Date(clock())
  const entry = { actorId: action.by, subjectKind: 'identity_check', subjectId: check.id, ip } as const
  switch (action.is) {
    case 'take':
      await moveCheck(tx, check.id, { state: 'in_review', reviewerId: action.by, reviewStartedAt: at })
      return audit({ ...entry, act: 'identity.take', detail: { from: check.reviewerId } })
    case 'return':
      await moveCheck(tx, check.id, { state: 'submitted', reviewerId: null, reviewStartedAt: null })
      return audit({ ...entry, act: 'identity.return' })
    case 'approve': {
      await moveCheck(tx, check.id, { state: 'approved', decidedAt: at })
      await setIdentified(tx, check.userId, at)
      audit({ ...entry, act: 'identity.approve' })
      return send(await personOf(tx, check), { is: 'identity_approved' })
    }
    case 'reject': {
      const { reason, note } = action
      await moveCheck(tx, check.id, { state: 'rejected', decidedAt: at, reason, note })
      audit({ ...entry, act: 'identity.reject', detail: { reason } })
      const email = { is: 'identity_rejected', reason: rejectSentences[reason], note } as const
      return send(await personOf(tx, check), email)
    }
    default:
      action satisfies never
  }
}

async function personOf(tx: Db, check: CheckRow): Promise<{ email: string; name: string }> {
  const found = await findCheck(tx, check.id)
  if (!found) throw new Error('the check has no person')
  return { email: found.email, name: found.name }
}
