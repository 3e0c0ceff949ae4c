// The admin who makes an adjustment, after a recent validation.
import type { Deps } from '#server/deps.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import type { ActedBy } from '#server/services/billing/refund-payment.ts'

/** @throws ApiError `validation_required` */
export function byOf({ clock }: Pick<Deps, 'clock'>, viewer: Viewer, ip: string): ActedBy {
  validatedOf(viewer, clock())
  return { actorId: viewer.id, ip }
}
