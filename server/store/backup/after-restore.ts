// What a restored database must not do a second time.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { JobName } from '#server/store/jobs.ts'
import { isBelow } from '#server/store/media/upload-keys.ts'
import { uploads } from '#server/store/tables/media.ts'

/**
 * What becomes of jobs that waited or ran when the backup was made. The lost system has most likely done them since. `again`: a second
 * run changes nothing, or makes rows and files that the backup does not have. `dropped`: it alone reaches a person, who has
 * most likely got it.
 */
export const jobsAfterRestore: Readonly<Record<JobName, 'again' | 'dropped'>> = {
  'media.picture': 'again',
  'media.film': 'again',
  'media.ladder': 'again',
  'media.remove': 'again',
  'message.media': 'again',
  'media.compare': 'again',
  'media.removed': 'again',
  'post.released': 'again',
  'registration.letter': 'dropped',
  'reset.letter': 'dropped',
  'email-change.letter': 'dropped',
  'letter.send': 'dropped',
  'identity.clear': 'again',
  'export.make': 'again',
  'authority-export.make': 'again',
  'post.fan-out': 'again',
  'notice.fan-out': 'again',
  'notice.begin': 'again',
  'notice.mail': 'dropped',
  'notice.retract': 'again',
  'notification.push': 'dropped',
  'push.device': 'dropped',
  'notification.mail': 'dropped',
  'message.push': 'dropped',
  'message.device': 'dropped',
  'message.mail': 'dropped',
  'message.broadcast': 'again',
  'payment.notice': 'again',
  'payment.refund': 'again',
  'membership.charges': 'again',
  'recurring.stop': 'again',
  'membership.stops': 'again',
  'membership.plan-closing': 'again',
  'membership.plan-price': 'again',
  'membership.open-plans': 'again',
  'payment.reconcile': 'again',
  'payment-sandbox.notices': 'again',
  'measures.end': 'again',
  sweep: 'again',
}

const droppedNames = Object.entries(jobsAfterRestore).flatMap(([name, it]) =>
  it === 'dropped' ? [name] : [],
)

/**
 * Drops emails and pushes that waited, puts back jobs that ran, whose workers are those of the lost system, and resets what depends on bytes that no backup has: the lost chunks of unfinished
 * uploads, and documents that were not encrypted yet. Devices send both again.
 */
export async function settleRestored(db: Db): Promise<void> {
  const names = sql.join(
    droppedNames.map((it) => sql`${it}`),
    sql`, `,
  )
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`delete from pgboss.job where name in (${names}) and state in ('created', 'retry', 'active')`,
    )
    await tx.execute(
      sql`update pgboss.job set state = 'retry', started_on = null, start_after = now(), output = null where state = 'active'`,
    )
    await tx.execute(sql`delete from letters`)
    await tx.delete(uploads).where(isBelow('identity-uploads'))
    await tx.execute(sql`update uploads set received = 0 where finished_at is null and received > 0`)
  })
}
