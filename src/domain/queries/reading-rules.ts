// When the reading of each endpoint is done again while its page stays open.
import type { EventName } from '#contract/realtime/channels.ts'

/** What a reading shows that others may change. Content alone, such as a help text, is none of these. */
export type Fact = 'money' | 'counts' | 'rights' | 'people'

/** Events of the person's own channel after which readings are done again by their rules. */
export type RuledEvent = Extract<
  EventName,
  | 'sales.changed'
  | 'rights.changed'
  | 'membership.changed'
  | 'notifications.changed'
  | 'lines.changed'
  | 'feed.newer'
>

/**
 * A reading is done again where it is shown: when its page becomes visible after half a minute, after a gap of the live
 * connection, when the network is back, and after `payment.changed` and `people.changed`. A rule says what is done beyond that,
 * or why it is not done.
 */
export interface ReadingRule {
  readonly shows: readonly Fact[]
  /** Events after which it is read again. */
  readonly changedBy?: readonly RuledEvent[]
  /** Events by which code of its own changes a part of it, or reads it again. */
  readonly inPlace?: readonly EventName[]
  /** Read again after so many minutes on a visible page. */
  readonly minutes?: number
  /** Figures of a day or month in Asia/Tokyo: read again after midnight. */
  readonly daily?: true
  /** Its query has an interval of its own, on a visible page. */
  readonly polled?: true
  /**
   * Not read again by rule. `audited`: each reading is in the audit log. `fixed`: it does not change. `typed`: it answers what
   * is being typed. `own`: code of its own reads what has changed, after a gap too.
   */
  readonly except?: 'audited' | 'fixed' | 'typed' | 'own'
}

/** The person's own money, which sweeps and staff change. */
const earned = { shows: ['money'], changedBy: ['sales.changed'], minutes: 5, daily: true } as const
/** What the operator's money pages show; several people work on them. */
const handled = { shows: ['money', 'people'], minutes: 1 } as const
/** Figures of the creator's page, by days. */
const figures = { shows: ['counts', 'money'], changedBy: ['sales.changed'], minutes: 5, daily: true } as const
/** Sent by a decision of staff, which notifies the person. */
const decided = { shows: ['rights'], changedBy: ['notifications.changed', 'lines.changed'] } as const
const audited = { shows: ['people', 'rights'], except: 'audited' } as const
const typed = { shows: ['people'], except: 'typed' } as const
const polled = { shows: ['counts', 'people'], polled: true } as const
/** Posts with their counts, and with access by purchases, plans and blocks. */
const posts = { shows: ['counts', 'rights', 'people'] } as const
const people = { shows: ['people'] } as const
const rights = { shows: ['rights'] } as const
const plain = { shows: [] } as const

/** One rule for the endpoint of each query; `query.ts` refuses an endpoint without one. */
export const readingRules = {
  // Money of the person.
  getSales: earned,
  listSalesEntries: earned,
  listStatements: earned,
  getStatement: { shows: ['money'], except: 'fixed' },
  getPayouts: earned,
  getBankAccount: { shows: ['rights'], changedBy: ['sales.changed'] },
  getAllowance: { shows: ['money'], minutes: 5 },
  getPlanOrder: { shows: ['money', 'rights'], changedBy: ['membership.changed'], minutes: 5 },
  getMembershipCard: { shows: ['money', 'rights'], changedBy: ['membership.changed'], minutes: 5 },
  'payment-return': { shows: ['money', 'rights'], polled: true },
  listPayments: { shows: ['money'], minutes: 5 },
  listSurplusCharges: { shows: ['money'], minutes: 5 },
  listPaymentFilters: people,
  getReceipt: { shows: ['money'], minutes: 5 },
  getDeletion: { shows: ['money', 'rights'], changedBy: ['membership.changed'], minutes: 5 },
  getBlockEffects: { shows: ['money', 'rights'], changedBy: ['membership.changed'], minutes: 5 },
  listJoinedPlans: { shows: ['money', 'rights'], changedBy: ['membership.changed'], minutes: 5 },

  // A creator's plans, members and figures.
  listOwnPlans: { shows: ['counts', 'money'], changedBy: ['sales.changed'], minutes: 5 },
  listPlanMembers: { shows: ['people', 'money'], changedBy: ['sales.changed'], minutes: 5 },
  searchMembers: { shows: ['people', 'money'], changedBy: ['sales.changed'], minutes: 5 },
  getAnalytics: figures,
  getPostAnalytics: figures,
  getOwnSeller: rights,
  getSeller: people,
  listSellerRequests: people,

  // Posts and people.
  listFeed: { ...posts, except: 'own' },
  countNewer: { shows: ['counts'], changedBy: ['feed.newer'], polled: true },
  getBoughtVersion: rights,
  getPost: { ...posts, inPlace: ['media.changed', 'likes.changed', 'comments.changed'], polled: true },
  listPosts: posts,
  searchPosts: posts,
  listComments: { shows: ['counts', 'people'], inPlace: ['comments.changed'], except: 'own' },
  listReplies: { shows: ['counts', 'people'], inPlace: ['comments.changed'], except: 'own' },
  getProfile: posts,
  listFollows: people,
  suggestPeople: people,
  searchPeople: people,
  suggestSearch: typed,
  listTrending: plain,
  getOwnPictures: { shows: [], inPlace: ['media.changed'], polled: true },
  checkHandle: typed,

  // Notifications and messages.
  countUnread: { shows: ['counts'], inPlace: ['notifications.changed'], polled: true },
  listNotifications: { shows: ['people', 'counts'], inPlace: ['notifications.changed', 'lines.changed'] },
  getNotice: plain,
  countUnreadMessages: { shows: ['counts'], inPlace: ['messages.unread'], polled: true },
  listConversations: { shows: ['counts', 'people'], inPlace: ['conversation.changed'] },
  getConversation: {
    shows: ['counts', 'rights', 'people'],
    inPlace: ['conversation.changed'],
    except: 'own',
  },
  listMessages: { shows: ['people'], inPlace: ['conversation.changed'], except: 'own' },
  searchMessages: people,
  listReportableMessages: people,
  getPresence: polled,
  listBroadcasts: { shows: ['counts'], polled: true },

  // The account of the person.
  getIdentity: { shows: ['rights'], changedBy: ['rights.changed'] },
  getOwnInfo: plain,
  getPrivacySettings: rights,
  getNotificationSettings: plain,
  getNoticeSettings: plain,
  listBlocks: people,
  listMutes: people,
  listOwnWords: rights,
  listHeldComments: people,
  listSessions: rights,
  listPasskeys: rights,
  getSecondFactor: rights,
  getValidation: rights,
  getExport: { shows: [], polled: true },
  getStorage: { shows: ['counts'] },
  listOwnDecisions: decided,
  listOwnHolds: decided,
  listOwnReports: decided,
  'decision-by-link': { shows: ['rights'] },
  'inquiry-by-link': { shows: ['rights'] },
  'opinion-by-link': { shows: ['rights'] },
  getOperator: plain,
  getTransparency: { shows: ['counts'] },
  searchBanks: { shows: [], except: 'typed' },
  searchBranches: { shows: [], except: 'typed' },

  // Staff: money.
  listOperatorTasks: handled,
  listAdminPayouts: handled,
  listPayoutExports: handled,
  listStrandedBalances: audited,
  listIssuedDocuments: audited,
  listSettlements: handled,
  listFeeRates: handled,
  listComplimentary: handled,
  searchAdjustments: { shows: ['money', 'people'], except: 'audited' },

  // Staff: people, cases and the machine.
  getDesk: { shows: ['counts', 'rights'], polled: true },
  listCases: polled,
  getCase: audited,
  listInquiries: polled,
  getInquiry: audited,
  listIdentityChecks: polled,
  getIdentityCheck: audited,
  listAudit: audited,
  findPeople: audited,
  readPerson: audited,
  readPersonCases: audited,
  listPersonContent: audited,
  listAuthorityExports: audited,
  listFailedMedia: audited,
  listStaff: audited,
  listReservedNames: audited,
  listWaitingSellerRequests: people,
  listTemplates: plain,
  listOperatorWords: plain,
  getRuntimeSettings: rights,
  listSettingChanges: people,
  listInvitations: { shows: ['counts'] },
  getMachine: { shows: ['counts'], polled: true },
  listFailedJobs: { shows: ['counts'], polled: true },
  listNotices: { shows: ['counts'] },
  getNoticeDetail: { shows: ['counts'], polled: true },
  listBuilds: plain,
  countNoticeAudience: { shows: ['counts'], except: 'typed' },
  previewNotice: { shows: [], except: 'typed' },
} as const satisfies Readonly<Record<string, ReadingRule>>

/** The name of a reading that has a rule. */
export type RuledName = keyof typeof readingRules
