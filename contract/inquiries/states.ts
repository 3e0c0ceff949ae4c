// Kinds, states, outcomes and times of inquiries.

/**
 * `contact`: a message to the operator. `copyright`: the infringement of a right of the sender. `privacy`: the removal of
 * content about the sender. `disclosure`: data of an author (発信者情報), for admins alone.
 */
export const inquiryKinds = ['contact', 'copyright', 'privacy', 'disclosure'] as const
export type InquiryKind = (typeof inquiryKinds)[number]

/**
 * `unconfirmed`: the sender has not proven the email address, and no one reads it. `received`: waits for staff. `in_progress`:
 * was taken. `asked_author`, `asked_sender`: waits for the answer of the author or the sender.
 */
export const inquiryStates = [
  'unconfirmed',
  'received',
  'in_progress',
  'asked_author',
  'asked_sender',
  'decided',
] as const
export type InquiryState = (typeof inquiryStates)[number]

/** Lists of staff. `open`: received or in progress. */
export const inquiryLists = ['open', 'asked', 'decided'] as const
export type InquiryList = (typeof inquiryLists)[number]

export const inquiryOutcomes = ['removed', 'partly', 'refused', 'disclosed', 'answered', 'withdrawn'] as const
export type InquiryOutcome = (typeof inquiryOutcomes)[number]

/** The outcomes that staff can choose; `withdrawn` is the sender's. */
export const outcomesOf: Readonly<Record<InquiryKind, readonly InquiryOutcome[]>> = {
  contact: ['answered'],
  copyright: ['removed', 'partly', 'refused'],
  privacy: ['removed', 'partly', 'refused'],
  disclosure: ['disclosed', 'partly', 'refused'],
}

/** What an author says to a claim. `silent`: nothing within the time. */
export const opinions = ['consents', 'refuses', 'silent'] as const
export type Opinion = (typeof opinions)[number]

/** `by` whom an event of an inquiry was. */
export const inquiryActs = [
  'sent',
  'confirmed',
  'asked_sender',
  'sender_answered',
  'asked_author',
  'author_answered',
  'author_silent',
  'decided',
  'withdrawn',
  'reopened',
] as const
export type InquiryAct = (typeof inquiryActs)[number]

const DAY = 24 * 3600_000
/** How long an address can be confirmed; afterwards the inquiry is deleted, ms. */
export const UNCONFIRMED_MS = 7 * DAY
/** The time until a decision that the operator keeps to, from the confirmation, ms. */
export const DUE_MS = 7 * DAY
/** How long an author may answer, ms. */
export const opinionMs = (kind: InquiryKind): number => (kind === 'disclosure' ? 14 : 7) * DAY
/** How long texts, names and addresses of a decided inquiry are retained, ms. */
export const keptMs = (kind: InquiryKind): number => (kind === 'contact' ? 365 : 3 * 365) * DAY

/** Longest name, right, and text, in grapheme clusters. */
export const MAX_INQUIRY_NAME = 100
export const MAX_INQUIRY_RIGHT = 300
export const MAX_INQUIRY_TEXT = 2000
