// Enforces the limits of the settings at runtime.
import type { LimitName } from '#contract/administration/runtime-names.ts'
import { MiB } from '#contract/limits.ts'
import type { Counts } from '#server/adapters/counts.ts'
import { ApiError, RateLimited } from '#server/http/errors.ts'
import type { Db } from '#server/store/database.ts'
import { findUser } from '#server/store/people/people.ts'
import type { Runtime } from './settings.ts'

const HOUR = 3600_000

/** Windows of the limits that count what one person writes, ms. */
const windows = {
  posts_per_day: 24 * HOUR,
  comments_per_hour: HOUR,
  messages_per_hour: HOUR,
  follows_per_hour: HOUR,
} as const satisfies Partial<Record<LimitName, number>>

interface CountPorts {
  readonly runtime: Runtime
  readonly counts: Counts
}

/**
 * Counts one new post, comment, message or follow of a person. Repeated requests for what exists are not counted by the caller.
 * @throws RateLimited with the time until the window ends, above the limit
 */
export async function spendLimit(
  { runtime, counts }: CountPorts,
  name: keyof typeof windows,
  personId: string,
): Promise<void> {
  const most = (await runtime.values()).limits[name]
  if (most === Number.POSITIVE_INFINITY) return
  const { current, ttl } = await counts.add(`runtime ${name} ${personId}`, windows[name])
  if (current > most) throw new RateLimited(ttl)
}

/**
 * Refuses a file, or the files of one post together, above the limit of the sender's role, which is at most 1 GiB
 * (specification 9.1). Not inside a transaction.
 * @throws ApiError `too_large`
 */
export async function checkUploadSize(
  { runtime, db }: { readonly runtime: Runtime; readonly db: Db },
  ownerId: string,
  bytes: number,
): Promise<void> {
  const { upload_mib_member: member, upload_mib_staff: staff } = (await runtime.values()).limits
  if (bytes <= Math.min(member, staff) * MiB) return
  const user = await findUser(db, ownerId)
  const isStaff = user !== undefined && user.role !== 'member'
  if (bytes > (isStaff ? staff : member) * MiB) throw new ApiError('too_large')
}
