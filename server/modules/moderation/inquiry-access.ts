// Inquiries that staff may read and change: not those by them or about them.
import { mayUse } from '#contract/administration/areas.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import type { Db } from '#server/store/database.ts'
import { findInquiry, type InquiryRecord, lockInquiry } from '#server/store/inquiries/inquiries.ts'

/** Whether the role may handle claims for data of authors. */
export const mayDisclose = ({ role }: Pick<Viewer, 'role'>): boolean => mayUse(role, 'authority')

function readable(viewer: Viewer, found: InquiryRecord | undefined): InquiryRecord {
  const isOwn = found?.senderId === viewer.id || found?.ownerId === viewer.id
  if (!found || isOwn || found.receivedAt === null) throw new ApiError('not_found')
  if (found.kind === 'disclosure' && !mayDisclose(viewer)) throw new ApiError('not_found')
  return found
}

/** @throws ApiError `not_found` also for the sender, for the author, and for a claim for disclosure without the area */
export const readableInquiry = async (db: Db, viewer: Viewer, id: string): Promise<InquiryRecord> =>
  readable(viewer, await findInquiry(db, id))

/** As `readableInquiry`, locked until the transaction ends. */
export const lockedInquiry = async (tx: Db, viewer: Viewer, id: string): Promise<InquiryRecord> =>
  readable(viewer, await lockInquiry(tx, id))

/** @throws ApiError `conflict` unless the viewer has taken the inquiry and it is undecided */
export async function takenInquiry(tx: Db, viewer: Viewer, id: string, now: number): Promise<InquiryRecord> {
  const found = await lockedInquiry(tx, viewer, id)
  if (found.state === 'decided' || holderOf(found, now) !== viewer.id) throw new ApiError('conflict')
  return found
}
