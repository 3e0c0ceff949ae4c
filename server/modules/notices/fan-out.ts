// Publishes a notice to its audience in batches. Each batch enqueues the next.
import type { Deps, Unit } from '#server/deps.ts'
import { noticeNotification } from '#server/rules/notification-events.ts'
import { notifyMany } from '#server/services/notifications/notify.ts'
import type { JobData } from '#server/store/jobs.ts'
import { listAudienceAfter, type NoticeRecipient } from '#server/store/notices/audience.ts'
import { addProgress, advanceNotice, lockNotice, type NoticeRow } from '#server/store/notices/notices.ts'
import { endBatch, lockBatch } from '#server/store/notifications/fan-outs.ts'

/** Who gets a notice by which channel: the writer's choice, and the reader's; advertising needs a consent. */
export function addressed(notice: NoticeRow, it: NoticeRecipient): NoticeRecipient {
  const { push, mail } = notice.isAdvertising ? { push: it.consents, mail: it.consents } : it.channels
  return {
    ...it,
    channels: { inApp: true, push: notice.pushes && push, mail: notice.mails && mail },
  }
}

/**
 * Runs one batch, unless the notice was stopped or withdrawn meanwhile. The lock of the notice makes a stop wait for the batch
 * that is running; no further one begins after it.
 */
export async function fanOutNotice(
  deps: Deps,
  { subjectId, stretch }: JobData['notice.fan-out'],
): Promise<void> {
  await deps.transaction(async (unit) => {
    const { tx, enqueue } = unit
    const notice = await lockNotice(tx, subjectId)
    if (notice?.state !== 'publishing') return
    const batch = await lockBatch(tx, subjectId, stretch)
    if (!batch) return
    const now = deps.clock()
    const { recipients, last } = await listAudienceAfter(
      tx,
      notice,
      batch.after,
      deps.settings.noticeBatch,
      now,
    )
    const delivered = await deliver(unit, notice, recipients, now)
    await addProgress(tx, subjectId, recipients.length, delivered)
    await endBatch(tx, subjectId, last, now)
    if (last === null) return advanceNotice(tx, subjectId, { state: 'published' })
    await enqueue('notice.fan-out', { subjectId, stretch: stretch + 1 })
  })
}

/** Notifies the people of a batch, and enqueues their emails. @returns how many got it */
async function deliver(
  unit: Unit,
  notice: NoticeRow,
  recipients: readonly NoticeRecipient[],
  now: number,
): Promise<number> {
  const fields = noticeNotification(notice.id)
  const all = recipients.map((it) => addressed(notice, it))
  // The email of a notice has its whole text, and is enqueued here.
  const sent = await notifyMany(
    unit,
    all.map((it) => ({ recipient: { ...it, channels: { ...it.channels, mail: false } }, fields })),
    now,
  )
  const mailed = new Set(all.filter((it) => it.channels.mail).map((it) => it.id))
  await unit.enqueueMany(
    'notice.mail',
    sent.filter((it) => mailed.has(it.userId)).map((it) => ({ notificationId: it.id })),
  )
  return sent.length
}
