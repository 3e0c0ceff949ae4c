// Kinds, states, outcomes and times of inquiries.

/**
 * `contact`: a message to the operator. `copyright`: the infringement of a right of the sender. `privacy`: the removal of
 * content about the sender. `disclosure`: data of an author (発信者情報), for admins alone. `intimate`: a person shown in sexual pictures or
 * films of a post, which is hidden when the address is confirmed.
 */
export const inquiryKinds = ['contact', 'copyright', 'privacy', 'disclosure', 'intimate'] as const
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
  intimate: ['removed', 'refused'],
}

/**
 * Why a person who is shown asks. `unwanted`: shown without consent (私事性的画像被害防止法). `withdrawal`: a performer cancels or ends the
 * contract of an age-limited film (AV出演被害防止・救済法).
 */
export const intimateGrounds = ['unwanted', 'withdrawal'] as const
export type IntimateGround = (typeof intimateGrounds)[number]

/** What an author says to a claim. `silent`: nothing within the time. */
export const opinions = ['consents', 'refuses', 'silent'] as const
export type Opinion = (typeof opinions)[number]

/** `by` whom an event of an inquiry was. */
export const inquiryActs = [
  'sent',
  'confirmed',
  'hidden',
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
/** As `DUE_MS`, by kind: people who are shown have an answer in two days. */
export const dueMs = (kind: InquiryKind): number => (kind === 'intimate' ? 2 * DAY : DUE_MS)
const opinionDays: Readonly<Partial<Record<InquiryKind, number>>> = { disclosure: 14, intimate: 2 }
/** How long an author may answer, ms. */
export const opinionMs = (kind: InquiryKind): number => (opinionDays[kind] ?? 7) * DAY
/** How long texts, names and addresses of a decided inquiry are retained, ms. */
export const keptMs = (kind: InquiryKind): number => (kind === 'contact' ? 365 : 3 * 365) * DAY

/** Longest name, right, and text, in grapheme clusters. */
export const MAX_INQUIRY_NAME = 100
export const MAX_INQUIRY_RIGHT = 300
export const MAX_INQUIRY_TEXT = 2000
