// The admin who makes an adjustment: validated recently, and not for their own money.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import type { ActedBy } from '#server/services/billing/refund-payment.ts'
import type { Db } from '#server/store/database.ts'
import { countStaff } from '#server/store/staff/staff.ts'

/** @throws ApiError `validation_required` */
export function byOf({ clock }: Pick<Deps, 'clock'>, viewer: Viewer, ip: string): ActedBy {
  validatedOf(viewer, clock())
  return { actorId: viewer.id, ip }
}

/**
 * Refuses an adjustment of the admin's own money, as long as there is another admin who can make it.
 * @param people buyer, member and creator
 * @throws ApiError `forbidden`
 */
export async function refuseOwn(db: Db, { actorId }: ActedBy, people: readonly string[]): Promise<void> {
  if (people.includes(actorId) && (await countStaff(db, 'money')) > 1) throw new ApiError('forbidden')
}
