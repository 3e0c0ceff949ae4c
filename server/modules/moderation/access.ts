// Cases that staff may read and change: not those about them or by them.
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import type { Db } from '#server/store/database.ts'
import { type CaseRecord, findCase, isInvolved, lockCase } from '#server/store/moderation/cases.ts'

/** @throws ApiError `not_found` also for the owner and for reporters of the case */
export async function readableCase(db: Db, viewer: Viewer, caseId: string): Promise<CaseRecord> {
  const found = await findCase(db, caseId)
  if (!found || (await isInvolved(db, caseId, viewer.id))) throw new ApiError('not_found')
  return found
}

/** As `readableCase`, locked until the transaction ends. */
export async function lockedCase(tx: Db, viewer: Viewer, caseId: string): Promise<CaseRecord> {
  const found = await lockCase(tx, caseId)
  if (!found || (await isInvolved(tx, caseId, viewer.id))) throw new ApiError('not_found')
  return found
}

/** @throws ApiError `conflict` unless the viewer has taken the case */
export async function takenCase(
  tx: Db,
  viewer: Viewer,
  caseId: string,
  state: CaseRecord['state'],
  now: number,
): Promise<CaseRecord> {
  const found = await lockedCase(tx, viewer, caseId)
  if (found.state !== state || holderOf(found, now) !== viewer.id) throw new ApiError('conflict')
  return found
}
