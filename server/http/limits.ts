// Rate limits.
import type { FastifyRequest } from 'fastify'

export interface Budget {
  readonly max: number
  /** Milliseconds. */
  readonly timeWindow: number
}

export interface RateLimit extends Budget {
  readonly hook?: 'onRequest' | 'preHandler'
  readonly keyGenerator?: (request: FastifyRequest) => string
}

export interface ThrottleSettings {
  /** This many tries have no delay. */
  readonly free: number
  /** Delay of the next try, ms; it doubles with each later one … */
  readonly first: number
  /** … up to this, ms. */
  readonly longest: number
  /** Tries are counted for this long from the first, ms. */
  readonly window: number
}

export interface Limits {
  readonly general: RateLimit
  readonly uploads: RateLimit
  /** Begun uploads. */
  readonly uploadsBegun: RateLimit
  readonly signIn: RateLimit
  /** The growing delay of repeated tries of a secret. */
  readonly throttle: ThrottleSettings
  /** Wrong passwords and codes of one network, over all accounts. */
  readonly guesses: Budget
  /** Wrong passwords of one account, over all networks; each remembered device counts separately. */
  readonly accountFailures: Budget
  /** Wrong codes of the second factor of one account, counted as `accountFailures`. */
  readonly codeFailures: Budget
  readonly signUp: RateLimit
  /** Requested emails: each may go to a stranger's mailbox. */
  readonly emails: RateLimit
  /** Emails that one network requests, over all addresses. */
  readonly emailsOfNetwork: Budget
  /** Links of registrations to one address, and codes that prove it as a new one, each over all networks and accounts. */
  readonly emailsToAddress: Budget
  /** Notices to the owner of an account: its address was typed into a registration or a change; who signed in is suspended. */
  readonly noticesToOwner: Budget
  /** Password tries for one person: in a session, or with a registration's link. */
  readonly validation: RateLimit
  /** Reviews of passkeys and sessions after a reset, by its token. */
  readonly resetReview: RateLimit
  /** Appeals and decisions read by the link of an email, of one network. */
  readonly appeals: RateLimit
  /** Inquiries sent from one network. */
  readonly inquiries: RateLimit
  /** Links that confirm inquiries, to one address, from any network. */
  readonly inquiriesOfAddress: Budget
  /** Posts that requests of people who are shown, from one address, hide before staff have read them. */
  readonly intimateHolds: Budget
  /** As `intimateHolds`, from one network, which may be that of many people. */
  readonly intimateHoldsOfNetwork: Budget
  /** Retries of failed files; each may occupy a process for minutes. */
  readonly retries: RateLimit
  /** Follows, mutes and blocks, and their removals. */
  readonly relations: RateLimit
  readonly reports: RateLimit
  /** Reports of messages; each copies up to 20 messages. */
  readonly messageReports: Budget
  /** Changes of the profile and its pictures. */
  readonly profile: RateLimit
  /** Handles checked during typing. */
  readonly handles: RateLimit
  /** Searches; each reads a part of the index. */
  readonly search: RateLimit
  /** Suggestions during typing. */
  readonly suggestions: RateLimit
  /** Pictures of share cards; each is rendered again. */
  readonly sharePictures: RateLimit
  /** Likes and their removals. */
  readonly likes: RateLimit
  /** Written comments. */
  readonly comments: RateLimit
  /** Sent messages, and reactions to them. */
  readonly messages: RateLimit
  /** Messages of an account that is younger than a week. */
  readonly messagesOfNew: Budget
  /** Message requests that one person begins. */
  readonly messageRequests: Budget
  /** Message requests that an account younger than a week begins. */
  readonly messageRequestsOfNew: Budget
  /** People to whom one person sends the same text before they have answered; the time is always a day. */
  readonly equalMessages: number
  /** Broadcasts of one creator; the time is always a day. */
  readonly broadcasts: number
  /** Reports of opened posts and watched videos. */
  readonly readings: RateLimit
  /** Changes and deletions of released posts. */
  readonly edits: RateLimit
  /** Changes of the own bank account; each sends an email. */
  readonly bankAccounts: RateLimit
  /** Changes of the own data as a seller; each sends an email. */
  readonly sellers: RateLimit
  /** Changes of own plans and their pictures. */
  readonly plans: RateLimit
  /** Files of own sales; each reads all entries of its time. */
  readonly salesFiles: RateLimit
  /** Subscriptions and tests of devices; each is a call to another server. */
  readonly push: RateLimit
  /** Authorizations of live channels; a page that reconnects requests all of its channels at once. */
  readonly joins: RateLimit
  /** Questions of return pages without a session, by network. */
  readonly paymentReturns: RateLimit
  /** Notices of the payment provider, by network. */
  readonly paymentNotices: RateLimit
  /** Live messages published by the operator's other processes. */
  readonly published: RateLimit
}

const MINUTE = 60_000

/** Limits that people do not reach, but scripts do. */
export const usualLimits: Limits = {
  general: { max: 3000, timeWindow: MINUTE },
  uploads: { max: 12_000, timeWindow: MINUTE },
  uploadsBegun: { max: 600, timeWindow: MINUTE },
  signIn: { max: 10, timeWindow: 60 * MINUTE },
  throttle: { free: 3, first: 1000, longest: 8000, window: 60 * MINUTE },
  guesses: { max: 100, timeWindow: 60 * MINUTE },
  accountFailures: { max: 50, timeWindow: 60 * MINUTE },
  codeFailures: { max: 10, timeWindow: 60 * MINUTE },
  signUp: { max: 5, timeWindow: 30 * MINUTE },
  emails: { max: 5, timeWindow: 60 * MINUTE },
  emailsOfNetwork: { max: 30, timeWindow: 60 * MINUTE },
  emailsToAddress: { max: 3, timeWindow: 24 * 60 * MINUTE },
  noticesToOwner: { max: 1, timeWindow: 24 * 60 * MINUTE },
  validation: { max: 10, timeWindow: 10 * MINUTE },
  resetReview: { max: 100, timeWindow: 15 * MINUTE },
  appeals: { max: 30, timeWindow: 15 * MINUTE },
  inquiries: { max: 10, timeWindow: 60 * MINUTE },
  inquiriesOfAddress: { max: 5, timeWindow: 24 * 60 * MINUTE },
  intimateHolds: { max: 3, timeWindow: 24 * 60 * MINUTE },
  intimateHoldsOfNetwork: { max: 10, timeWindow: 24 * 60 * MINUTE },
  retries: { max: 20, timeWindow: 60 * MINUTE },
  relations: { max: 300, timeWindow: 10 * MINUTE },
  reports: { max: 30, timeWindow: 60 * MINUTE },
  messageReports: { max: 50, timeWindow: 24 * 60 * MINUTE },
  profile: { max: 60, timeWindow: 10 * MINUTE },
  handles: { max: 120, timeWindow: 10 * MINUTE },
  search: { max: 120, timeWindow: MINUTE },
  suggestions: { max: 300, timeWindow: MINUTE },
  sharePictures: { max: 120, timeWindow: MINUTE },
  likes: { max: 120, timeWindow: MINUTE },
  comments: { max: 20, timeWindow: MINUTE },
  messages: { max: 120, timeWindow: MINUTE },
  messagesOfNew: { max: 60, timeWindow: 60 * MINUTE },
  messageRequests: { max: 50, timeWindow: 24 * 60 * MINUTE },
  messageRequestsOfNew: { max: 10, timeWindow: 24 * 60 * MINUTE },
  equalMessages: 20,
  broadcasts: 10,
  readings: { max: 240, timeWindow: MINUTE },
  edits: { max: 60, timeWindow: 10 * MINUTE },
  bankAccounts: { max: 10, timeWindow: 60 * MINUTE },
  sellers: { max: 10, timeWindow: 60 * MINUTE },
  plans: { max: 60, timeWindow: 10 * MINUTE },
  salesFiles: { max: 30, timeWindow: 10 * MINUTE },
  push: { max: 30, timeWindow: 10 * MINUTE },
  joins: { max: 600, timeWindow: MINUTE },
  paymentReturns: { max: 120, timeWindow: MINUTE },
  paymentNotices: { max: 30_000, timeWindow: MINUTE },
  published: { max: 30_000, timeWindow: MINUTE },
}

const boundless: RateLimit = { max: Number.MAX_SAFE_INTEGER, timeWindow: MINUTE }

/** No limits, for tests. */
export const noLimits: Limits = {
  general: boundless,
  uploads: boundless,
  uploadsBegun: boundless,
  signIn: boundless,
  throttle: { free: Number.MAX_SAFE_INTEGER, first: 0, longest: 0, window: MINUTE },
  guesses: boundless,
  accountFailures: boundless,
  codeFailures: boundless,
  signUp: boundless,
  emails: boundless,
  emailsOfNetwork: boundless,
  emailsToAddress: boundless,
  noticesToOwner: boundless,
  validation: boundless,
  resetReview: boundless,
  appeals: boundless,
  inquiries: boundless,
  inquiriesOfAddress: boundless,
  intimateHolds: boundless,
  intimateHoldsOfNetwork: boundless,
  retries: boundless,
  relations: boundless,
  reports: boundless,
  messageReports: boundless,
  profile: boundless,
  handles: boundless,
  search: boundless,
  suggestions: boundless,
  sharePictures: boundless,
  likes: boundless,
  comments: boundless,
  messages: boundless,
  messagesOfNew: boundless,
  messageRequests: boundless,
  messageRequestsOfNew: boundless,
  equalMessages: Number.MAX_SAFE_INTEGER,
  broadcasts: Number.MAX_SAFE_INTEGER,
  readings: boundless,
  edits: boundless,
  bankAccounts: boundless,
  sellers: boundless,
  plans: boundless,
  salesFiles: boundless,
  push: boundless,
  joins: boundless,
  paymentReturns: boundless,
  paymentNotices: boundless,
  published: boundless,
}
