// One act on a check: the rule decides, and the check, the audit entry and the letter change together.
import type { RejectReason } from '#contract/identity.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { advance, type CheckAct } from '#server/rules/identity.ts'
import { writeAudit } from '#server/store/audit.ts'
import type { Db } from '#server/store/database.ts'
import { type CheckRow, findCheck, lockCheck, moveCheck, setIdentified } from '#server/store/identity.ts'

/** For the letter; the app says it in its own words. */
const sentences: Record<RejectReason, string> = {
  unreadable: '書類の文字や写真を読み取れませんでした。明るい場所で、ピントを合わせて撮影してください。',
  cut_off: '書類の一部が写っていませんでした。四隅まで入るように撮影してください。',
  expired_document: '書類の有効期限が切れていました。有効期限内の書類をご用意ください。',
  wrong_document: '選択された種類と、お送りいただいた書類が異なっていました。',
  details_differ: '書類の内容と、登録されている氏名または生年月日が一致しませんでした。',
  face_differs: '書類の写真と、録画の人物が同じ方であることを確認できませんでした。',
  acts_missing: '録画で、お願いした動作を確認できませんでした。',
  under_age: '18歳以上であることを確認できませんでした。',
  altered: '書類が加工されている可能性があるため、確認できませんでした。',
  other: '本人確認を完了できませんでした。',
}

export async function review(
  deps: Deps,
  checkId: string,
  act: CheckAct,
  ip: string,
): Promise<{ id: string; state: CheckRow['state'] }> {
  const state = await deps.db.transaction(async (tx) => {
    const check = await lockCheck(tx, checkId)
    if (!check) throw new ApiError('not_found')
    const next = advance(check, act)
    if (next.is === 'refused') throw new ApiError(next.code)
    if (next.is === 'stands') return check.state
    await record(deps, tx, check, act, ip)
    return next.state
  })
  deps.jobs.wake('letter.send')
  return { id: checkId, state }
}

async function record(deps: Deps, tx: Db, check: CheckRow, act: CheckAct, ip: string): Promise<void> {
  const now = deps.clock()
  const at = new Date(now)
  const entry = { actorId: act.by, subjectKind: 'identity_check', subjectId: check.id, ip } as const
  switch (act.is) {
    case 'take':
      await moveCheck(tx, check.id, { state: 'in_review', reviewerId: act.by, reviewStartedAt: at })
      return writeAudit(tx, { ...entry, act: 'identity.take', detail: { from: check.reviewerId } }, now)
    case 'approve': {
      await moveCheck(tx, check.id, { state: 'approved', decidedAt: at })
      await setIdentified(tx, check.userId, at)
      await writeAudit(tx, { ...entry, act: 'identity.approve' }, now)
      return deps.letters.post(tx, await personOf(tx, check), { is: 'identity_approved' })
    }
    case 'reject': {
      const { reason, note } = act
      await moveCheck(tx, check.id, { state: 'rejected', decidedAt: at, reason, note })
      await writeAudit(tx, { ...entry, act: 'identity.reject', detail: { reason } }, now)
      const letter = { is: 'identity_rejected', reason: sentences[reason], note } as const
      return deps.letters.post(tx, await personOf(tx, check), letter)
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
