// Deletes the notifications of withdrawn notices, and continues work whose job was lost.
import type { Deps } from '#server/deps.ts'
import { publishUnreadCount } from '#server/services/notifications/notify.ts'
import { removeConsentsBefore } from '#server/store/notices/consents.ts'
import { removeMarksBefore } from '#server/store/notices/marks.ts'
import { listDue, listInState } from '#server/store/notices/notices.ts'
import { removeNotificationsOf } from '#server/store/notices/retract.ts'
import { nextBatch } from '#server/store/notifications/fan-outs.ts'
import { beginDue } from './act.ts'

/** Notifications deleted by one transaction. */
const BATCH_SIZE = 1000
/** How long marks of readers and withdrawn consents are stored, ms. */
const KEPT_MS = 90 * 24 * 3600_000

/** Deletes a batch of the notifications of a withdrawn notice; open apps get their new count. */
export async function retractNotice(deps: Deps, noticeId: string): Promise<void> {
  await deps.transaction(async (unit) => {
    const { removed, unread } = await removeNotificationsOf(unit.tx, noticeId, BATCH_SIZE)
    publishUnreadCount(unit, unread)
    if (removed === BATCH_SIZE) await unit.enqueue('notice.retract', { noticeId })
  })
}

/** A second job of a batch does nothing, so those that may still run are not distinguished. */
export async function sweepNotices(deps: Deps): Promise<void> {
  const { db, clock } = deps
  for (const id of await listDue(db, clock())) await beginDue(deps, id)
  for (const subjectId of await listInState(db, 'publishing'))
    await deps.transaction(async ({ tx, enqueue }) => {
      const stretch = await nextBatch(tx, subjectId)
      if (stretch !== undefined) await enqueue('notice.fan-out', { subjectId, stretch })
    })
  await removeMarksBefore(db, clock() - KEPT_MS)
  await removeConsentsBefore(db, clock() - KEPT_MS)
}
