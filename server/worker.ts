// Starts the workers of this process, one for each kind of job, and the sweeps.
import type { Deps } from './deps.ts'
import { enqueueEmailChangeEmails, enqueueResetEmail } from './modules/accounts/code-emails.ts'
import { enqueueRegistrationEmail } from './modules/accounts/registration-email.ts'
import { makeAuthorityExport } from './modules/exports/authority.ts'
import { makeExport } from './modules/exports/make.ts'
import { removePlainUploads } from './modules/identity/clear.ts'
import { sendEmail } from './modules/emails/send.ts'
import { deliverBroadcast } from './modules/messages/deliver-broadcast.ts'
import { publishMediaState } from './modules/messages/media-state.ts'
import { endMeasures } from './modules/moderation/expiry.ts'
import { beginDue } from './modules/notices/act.ts'
import { fanOutNotice } from './modules/notices/fan-out.ts'
import { enqueueNoticeEmail } from './modules/notices/mail.ts'
import { retractNotice } from './modules/notices/sweep.ts'
import { fanOutPost } from './modules/notifications/fan-out.ts'
import { enqueueMessageEmail } from './modules/notifications/message-email.ts'
import { enqueueNotificationEmail } from './modules/notifications/email.ts'
import { makeMedia } from './modules/media/make.ts'
import { removeMedia } from './modules/media/remove.ts'
import { followSandbox } from './modules/media/resume.ts'
import { makeNextVideo, makeNextLadder } from './modules/media/turns.ts'
import { announcePriceTo, closePlanOf } from './services/memberships/plan-changes.ts'
import { openPlansOf, stopWhatEnds } from './services/memberships/stop.ts'
import { stopRecurring, syncCharges } from './services/memberships/sync-charges.ts'
import { compareMadeMedia, listRemovedMedia } from './services/holds/removed-media.ts'
import { handleNotice } from './services/billing/handle-notice.ts'
import { returnCharge } from './services/payments/refund.ts'
import { sendNotices } from './modules/payment-sandbox/notices.ts'
import { afterRelease } from './modules/posts/released.ts'
import { pushMessage, pushMessageToDevice } from './modules/push/send-messages.ts'
import { pushNotification, pushToDevice } from './modules/push/send.ts'
import { indexMissing } from './modules/search/index-missing.ts'
import { listWaitingExports } from './store/accounts/exports.ts'
import { listRequestedLadders } from './store/media/video-turns.ts'
import { queueOf } from './store/jobs.ts'
import { listUnfinishedMedia, retryUnconfinedMedia } from './store/media/media.ts'
import { scheduleSweeps } from './sweeps.ts'

/** Media converted at the same time, each in one process; pictures and videos have separate workers. */
const PICTURES_AT_ONCE = 2
const FILMS_AT_ONCE = 2
/** Pushes sent at the same time; each waits for a push service. */
const PUSHES_AT_ONCE = 8

/**
 * Runs jobs in this process until `deps.close`.
 * @param cron when the sweeps are due; hourly by default
 */
export async function startWorker(
  deps: Deps,
  onError: (error: unknown) => void,
  cron?: string,
): Promise<void> {
  const { jobs } = deps
  await jobs.work('media.picture', PICTURES_AT_ONCE, async ({ mediaId }) => {
    await makeMedia(deps, mediaId)
  })
  await jobs.work('media.film', FILMS_AT_ONCE, () => makeNextVideo(deps))
  await jobs.work('media.ladder', 1, () => makeNextLadder(deps))
  await jobs.work('media.remove', 1, ({ mediaId }) => removeMedia(deps, mediaId))
  await jobs.work('message.media', 1, ({ mediaId }) => publishMediaState(deps, mediaId))
  await jobs.work('media.compare', 1, ({ postId }) => compareMadeMedia(deps, postId))
  await jobs.work('media.removed', 1, ({ postId }) => listRemovedMedia(deps, postId))
  await jobs.work('post.released', 1, ({ postId }) => afterRelease(deps, postId))
  await jobs.work('registration.letter', 1, (it) => enqueueRegistrationEmail(deps, it.registrationId))
  await jobs.work('identity.clear', 1, ({ uploadIds }) => removePlainUploads(deps, uploadIds))
  await jobs.work('reset.letter', 1, ({ sealed }) => enqueueResetEmail(deps, sealed))
  await jobs.work('email-change.letter', 1, (it) => enqueueEmailChangeEmails(deps, it.userId, it.sealed))
  await jobs.work('letter.send', 2, ({ letterId }) => sendEmail(deps, letterId, onError))
  await jobs.work('authority-export.make', 1, ({ exportId }) => makeAuthorityExport(deps, exportId))
  await jobs.work('export.make', 1, ({ exportId }) => makeExport(deps, exportId))
  await jobs.work('post.fan-out', 1, (it) => fanOutPost(deps, it))
  await jobs.work('notice.fan-out', 1, (it) => fanOutNotice(deps, it))
  await jobs.work('notice.begin', 1, (it) => beginDue(deps, it.noticeId))
  await jobs.work('notice.mail', 1, (it) => enqueueNoticeEmail(deps, it.notificationId))
  await jobs.work('notice.retract', 1, (it) => retractNotice(deps, it.noticeId))
  await jobs.work('notification.push', 1, (it) => pushNotification(deps, it.notificationId))
  await jobs.work('push.device', PUSHES_AT_ONCE, (it) => pushToDevice(deps, it))
  await jobs.work('message.push', 1, (it) => pushMessage(deps, it.messageId))
  await jobs.work('message.device', PUSHES_AT_ONCE, (it) => pushMessageToDevice(deps, it))
  await jobs.work('message.mail', 1, (it) => enqueueMessageEmail(deps, it.messageId))
  await jobs.work('message.broadcast', 1, (it) => deliverBroadcast(deps, it))
  await jobs.work('payment.notice', 1, async ({ noticeId }) => {
    const handled = await handleNotice(deps, noticeId)
    if (handled?.alerts) onError(new Error(`payment notice ${noticeId}: ${handled.outcome}`))
  })
  await jobs.work('payment.refund', 1, ({ chargeId }) => returnCharge(deps, chargeId))
  await jobs.work('membership.charges', 1, ({ membershipId }) => syncCharges(deps, membershipId))
  await jobs.work('recurring.stop', 1, (it) => stopRecurring(deps, it))
  await jobs.work('membership.stops', 1, () => stopWhatEnds(deps))
  await jobs.work('membership.plan-closing', 1, (it) => closePlanOf(deps, it))
  await jobs.work('membership.plan-price', 1, (it) => announcePriceTo(deps, it))
  await jobs.work('membership.open-plans', 1, (it) => openPlansOf(deps, it))
  await jobs.work('payment-sandbox.notices', 1, () => sendNotices(deps))
  await jobs.work('measures.end', 1, () => endMeasures(deps))
  await jobs.work('notification.mail', 1, (it) => enqueueNotificationEmail(deps, it.notificationId))
  // Unfinished work is enqueued again, for the case that its job was dropped or has failed.
  await deps.transaction(async ({ tx, enqueue }) => {
    if (deps.mediaSandbox?.found().state === 'bubblewrap') await retryUnconfinedMedia(tx)
    for (const { id, kind } of await listUnfinishedMedia(tx)) await enqueue(queueOf(kind), { mediaId: id })
    for (const mediaId of await listRequestedLadders(tx)) await enqueue('media.ladder', { mediaId })
    for (const exportId of await listWaitingExports(tx)) await enqueue('export.make', { exportId })
  })
  followSandbox(deps, onError)
  void indexMissing(deps).catch(onError)
  await scheduleSweeps(deps, onError, cron)
}
