// The hourly sweeps, which delete expired data; each runs in one process of a cluster.
import type { Deps } from './deps.ts'
import { sweepRemovals } from './services/backup/kept-objects.ts'
import { sweepMemberships } from './services/memberships/stop.ts'
import { reconcile } from './services/billing/reconcile.ts'
import { sweepRegistrations } from './modules/accounts/expiry.ts'
import { sweepRecoveries } from './modules/administration/recovery.ts'
import { foldDueReadings } from './modules/analytics/fold.ts'
import { removeOldEmails } from './modules/emails/send.ts'
import { sweepAuthorityExports } from './modules/exports/authority.ts'
import { removeExpiredExports } from './modules/exports/make.ts'
import { sweepIdentity } from './modules/identity/clear.ts'
import { deleteDueAccounts } from './modules/leaving/erase.ts'
import { sweepLeftovers } from './modules/leaving/leftovers.ts'
import { removeExpiredMessages } from './modules/messages/retention.ts'
import { resumeBroadcasts } from './modules/messages/broadcasts.ts'
import { removeOldEqualMessages } from './modules/messages/send.ts'
import { emptyRemovedComments, endMeasures, sweepInquiries } from './modules/moderation/expiry.ts'
import { sweepNotices } from './modules/notices/sweep.ts'
import { expireNotifications } from './modules/notifications/expiry.ts'
import { sweepPasskeyChallenges } from './modules/passkeys/expiry.ts'
import { sweepIssuedDocuments } from './modules/payments/issued-sweep.ts'
import { sweepPayments } from './modules/payments/sweep.ts'
import { chargeDue } from './modules/payment-sandbox/recurring.ts'
import { emptyDeletedPosts } from './modules/posts/deleted.ts'
import { reapUnreleased } from './modules/posts/unreleased.ts'
import { removeOldSequenceNumbers } from './modules/reactions/expiry.ts'
import { sweepPayouts } from './modules/payouts/sweep.ts'
import { sweepTransferFiles } from './modules/payouts/transfer.ts'
import { removeReportedMessages } from './modules/reports/expiry.ts'
import { sweepSales } from './modules/sales/closing.ts'
import { removeOldSearches } from './modules/search/trending.ts'
import { sweepSellers } from './modules/sellers/sweep.ts'
import { sweepSessions } from './modules/sessions/expiry.ts'
import { removeOldUploads } from './modules/uploads/expiry.ts'
import { foldPlanCounts } from './store/plans/plan-counts.ts'
import { foldMembershipDays } from './store/sales/member-counts.ts'

/** Sweeps by name, each safe to interrupt and repeat. Unsealed identity documents are removed first. */
const sweeps: Readonly<Record<string, (deps: Deps) => Promise<unknown>>> = {
  identity: sweepIdentity,
  uploads: removeOldUploads,
  'unreleased-posts': reapUnreleased,
  'deleted-posts': emptyDeletedPosts,
  sessions: sweepSessions,
  'passkey-challenges': sweepPasskeyChallenges,
  registrations: sweepRegistrations,
  recoveries: sweepRecoveries,
  accounts: deleteDueAccounts,
  'erased-rows': sweepLeftovers,
  emails: removeOldEmails,
  exports: removeExpiredExports,
  'authority-exports': sweepAuthorityExports,
  searches: removeOldSearches,
  broadcasts: resumeBroadcasts,
  'equal-messages': removeOldEqualMessages,
  'old-messages': removeExpiredMessages,
  'reported-messages': removeReportedMessages,
  measures: endMeasures,
  'removed-comments': emptyRemovedComments,
  inquiries: sweepInquiries,
  notices: sweepNotices,
  notifications: expireNotifications,
  payments: sweepPayments,
  'issued-documents': sweepIssuedDocuments,
  memberships: sweepMemberships,
  'plan-counts': ({ db }) => foldPlanCounts(db),
  'membership-days': ({ db }) => foldMembershipDays(db),
  'payment-sandbox': chargeDue,
  sales: sweepSales,
  payouts: sweepPayouts,
  'transfer-files': sweepTransferFiles,
  sellers: sweepSellers,
  removals: sweepRemovals,
  'sequence-numbers': removeOldSequenceNumbers,
  readings: foldDueReadings,
}

export const sweepNames: readonly string[] = Object.keys(sweeps)

/** At the same minute of every hour, in UTC. */
const HOURLY = '7 * * * *'
/** Half past three in Asia/Tokyo, in UTC. */
const NIGHTLY = '30 18 * * *'

/** Runs every sweep now and at each time of `cron`, once for all processes of the database. */
export async function scheduleSweeps(
  deps: Deps,
  onError: (error: unknown) => void,
  cron: string = HOURLY,
): Promise<void> {
  await deps.jobs.work('sweep', 1, ({ name }) => runSweep(deps, name, onError))
  await deps.jobs.repeat('sweep', cron, new Map(sweepNames.map((name) => [name, { name }])))
  await deps.jobs.work('payment.reconcile', 1, async () => void (await reconcile(deps)))
  await deps.jobs.repeat('payment.reconcile', NIGHTLY, new Map([['nightly', {}]]))
}

/** Runs a sweep, unless another process is running it; ignores an unknown sweep of another version. */
async function runSweep(deps: Deps, name: string, onError: (error: unknown) => void): Promise<void> {
  const work = sweeps[name]
  if (!work) return
  try {
    await deps.database.exclusively(`sweep ${name}`, async () => void (await work(deps)))
  } catch (error) {
    onError(error)
    throw error
  }
}
