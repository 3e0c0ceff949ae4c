// All planted faults, in the order of their files.
import { entitlementFaults } from './access/entitlements.ts'
import { appFaults } from './app.ts'
import { auditFaults } from './audit.ts'
import { broadcastFaults } from './broadcasts.ts'
import { cardFaults } from './cards.ts'
import { chunkFaults } from './delivery/chunks.ts'
import { deviceFaults } from './delivery/device.ts'
import type { Fault } from './fault.ts'
import { mediaFaults } from './media.ts'
import { membershipFaults } from './memberships.ts'
import { adjustmentFaults } from './adjustments.ts'
import { messageMediaFaults } from './message-media.ts'
import { messageFaults } from './messages.ts'
import { messageNoticeFaults } from './message-notices.ts'
import { payoutFaults } from './payouts.ts'
import { caseFaults } from './moderation/cases.ts'
import { holdFaults } from './moderation/holds.ts'
import { openedFaults } from './moderation/opened.ts'
import { inquiryFaults } from './moderation/inquiries.ts'
import { copyFaults } from './operator/copies.ts'
import { metricsFaults } from './operator/metrics.ts'
import { capacityFaults } from './operator/capacity.ts'
import { backupFaults } from './operator/backup.ts'
import { documentFaults } from './operator/documents.ts'
import { objectStoreFaults } from './operator/object-store.ts'
import { moveFaults } from './operator/moves.ts'
import { servingFaults } from './operator/serving.ts'
import { topicFaults } from './operator/topics.ts'
import { traceFaults } from './operator/traces.ts'
import { primaryFaults } from './operator/primary.ts'
import { replicaFaults } from './operator/replicas.ts'
import { serversFaults } from './operator/servers.ts'
import { historyFaults } from './histories.ts'
import { moneyFaults } from './money.ts'
import { providerFaults } from './providers.ts'
import { lossFaults } from './delivery/losses.ts'
import { partFaults } from './delivery/parts.ts'
import { pageFaults } from './delivery/page.ts'
import { postFaults } from './delivery/posts.ts'
import { queueFaults } from './delivery/queue.ts'
import { requestFaults } from './delivery/requests.ts'
import { machineFaults, serverFaults } from './server.ts'
import { uploadFaults } from './delivery/uploads.ts'
import { personalFaults } from './personal.ts'
import { peopleFaults } from './people.ts'
import { noticeFaults } from './notices.ts'
import { shownFaults } from './shown.ts'
import { textFaults } from './texts.ts'
import { staffFaults, totpFaults } from './staff.ts'

export const allFaults: readonly Fault[] = [
  ...appFaults,
  ...deviceFaults,
  ...queueFaults,
  ...requestFaults,
  ...lossFaults,
  ...partFaults,
  ...pageFaults,
  ...postFaults,
  ...chunkFaults,
  ...uploadFaults,
  ...serverFaults,
  ...machineFaults,
  ...auditFaults,
  ...copyFaults,
  ...metricsFaults,
  ...backupFaults,
  ...capacityFaults,
  ...objectStoreFaults,
  ...moveFaults,
  ...primaryFaults,
  ...documentFaults,
  ...replicaFaults,
  ...serversFaults,
  ...topicFaults,
  ...servingFaults,
  ...traceFaults,
  ...entitlementFaults,
  ...staffFaults,
  ...shownFaults,
  ...caseFaults,
  ...holdFaults,
  ...openedFaults,
  ...inquiryFaults,
  ...peopleFaults,
  ...personalFaults,
  ...totpFaults,
  ...noticeFaults,
  ...moneyFaults,
  ...historyFaults,
  ...providerFaults,
  ...membershipFaults,
  ...cardFaults,
  ...payoutFaults,
  ...adjustmentFaults,
  ...messageFaults,
  ...messageNoticeFaults,
  ...messageMediaFaults,
  ...broadcastFaults,
  ...mediaFaults,
  ...textFaults,
]
