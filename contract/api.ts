// Every endpoint, for the server's table of routes and the OpenAPI page.
import { accountEndpoints } from './accounts/endpoints.ts'
import { adjustmentEndpoints } from './adjustments/endpoints.ts'
import { listAudit } from './administration/audit.ts'
import { administrationEndpoints } from './administration/endpoints.ts'
import { getAnalytics, getPostAnalytics } from './analytics/analytics.ts'
import { reportReading } from './analytics/readings.ts'
import { identityEndpoints } from './identity/endpoints.ts'
import { getMembershipCard, changeMembershipCard } from './memberships/card.ts'
import {
  getPlanOrder,
  beginMembership,
  cancelMembership,
  resumeMembership,
  changeMembership,
  revokeMembershipChange,
} from './memberships/memberships.ts'
import { messageEndpoints } from './messages/endpoints.ts'
import { moderationEndpoints } from './moderation/endpoints.ts'
import { noticeEndpoints } from './notices/endpoints.ts'
import { notificationEndpoints } from './notifications/endpoints.ts'
import { getOperator } from './operator.ts'
import { paymentEndpoints } from './payments/endpoints.ts'
import { payoutEndpoints } from './payouts/endpoints.ts'
import { peopleEndpoints } from './people/endpoints.ts'
import { planEndpoints } from './plans/endpoints.ts'
import { postEndpoints } from './posts/endpoints.ts'
import { healthEndpoints } from './probes.ts'
import { getRealtime, authorizeChannel } from './realtime/realtime.ts'
import { getSales, listSalesEntries } from './sales/sales.ts'
import { listStatements, getStatement } from './sales/statements.ts'
import { searchPosts, searchPeople, suggestSearch, listTrending } from './search/search.ts'
import { sellerEndpoints } from './sellers/endpoints.ts'

export const endpoints = [
  ...healthEndpoints,
  getOperator,
  ...accountEndpoints,
  ...postEndpoints,
  ...peopleEndpoints,
  ...planEndpoints,
  reportReading,
  getAnalytics,
  getPostAnalytics,
  ...paymentEndpoints,
  getPlanOrder,
  beginMembership,
  cancelMembership,
  resumeMembership,
  changeMembership,
  revokeMembershipChange,
  getMembershipCard,
  changeMembershipCard,
  ...adjustmentEndpoints,
  ...payoutEndpoints,
  ...sellerEndpoints,
  getSales,
  listSalesEntries,
  listStatements,
  getStatement,
  ...messageEndpoints,
  ...notificationEndpoints,
  ...noticeEndpoints,
  ...identityEndpoints,
  listAudit,
  ...moderationEndpoints,
  searchPosts,
  searchPeople,
  suggestSearch,
  listTrending,
  getRealtime,
  authorizeChannel,
  ...administrationEndpoints,
] as const
