// Texts of inquiries, which are encrypted, their events, and their emails.
import { newId } from '#contract/ids.ts'
import type { InquiryTexts } from '#contract/inquiries/inquiries.ts'
import type { InquiryAct } from '#contract/inquiries/states.ts'
import type { Deps, Unit } from '#server/deps.ts'
import type { InquiryEmail } from '#server/rules/moderation/inquiry-email.ts'
import {
  addEvent,
  type EventRecord,
  type InquiryRecord,
  lockDecidedBy,
  setInquiry,
} from '#server/store/inquiries/inquiries.ts'

type Sealing = Pick<Deps, 'secrets'>

const erased: InquiryTexts = { name: '', email: '', url: '', right: '', text: '', reason: '' }

export const sealTexts = ({ secrets }: Sealing, inquiryId: string, texts: InquiryTexts): string =>
  secrets.seal('inquiry', Buffer.from(JSON.stringify(texts)), inquiryId)

/** What the sender wrote; empty once it is erased. */
export function textsOf({ secrets }: Sealing, { id, sealed }: InquiryRecord): InquiryTexts {
  if (sealed === null) return erased
  return JSON.parse(secrets.open('inquiry', sealed, id).toString()) as InquiryTexts
}

/** The text of an event; '' for none. */
export const eventText = ({ secrets }: Sealing, { id, sealed }: EventRecord): string =>
  sealed === null ? '' : secrets.open('inquiry', sealed, id).toString()

interface Happened {
  readonly act: InquiryAct
  readonly text?: string
  readonly staffId?: string
}

/** Adds an event to the history of an inquiry. */
export async function record(
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  { tx }: Pick<Unit, 'tx'>,
  inquiryId: string,
  { act, text = '', staffId }: Happened,
): Promise<void> {
  const id = newId()
  const sealed = text === '' ? null : secrets.seal('inquiry', Buffer.from(text), id)
  await addEvent(tx, inquiryId, { id, act, staffId: staffId ?? null, sealed }, clock())
}

/** The page of an inquiry. Its secret is in the fragment, which is in no log. */
export function pageOf(
  { secrets, settings }: Pick<Deps, 'secrets' | 'settings'>,
  inquiryId: string,
  of: 'sender' | 'author',
): string {
  const token = secrets.mac(of === 'sender' ? 'inquiry-sender' : 'inquiry-author', inquiryId)
  return `${settings.publicUrl}/contact?${of === 'sender' ? 'request' : 'opinion'}=${inquiryId}#token=${token}`
}

type WithoutCommon<It> = It extends InquiryEmail ? Omit<It, 'kind' | 'number' | 'url'> : never

/** Emails the sender; nothing once the address is erased. */
export async function emailSender(
  deps: Deps,
  unit: Unit,
  inquiry: InquiryRecord,
  email: WithoutCommon<InquiryEmail>,
): Promise<void> {
  const { email: address } = textsOf(deps, inquiry)
  if (address === '') return
  const { kind, number } = inquiry
  const common = { kind, number, url: pageOf(deps, inquiry.id, 'sender') }
  await unit.email({ email: address, name: '' }, { ...email, ...common })
}

/** Opens the inquiries again that a decision has decided, once it is undone, and tells their senders. */
export async function reopenInquiries(deps: Deps, unit: Unit, decisionId: string): Promise<void> {
  for (const it of await lockDecidedBy(unit.tx, decisionId)) {
    await setInquiry(unit.tx, it.id, { state: 'received', outcome: null, decidedAt: null, decisionId: null })
    await record(deps, unit, it.id, { act: 'reopened' })
    await emailSender(deps, unit, it, { is: 'inquiry_reopened' })
  }
}
