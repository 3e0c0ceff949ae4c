// Inquiries: sent by the open form at /contact, read by an emailed link.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_URL } from '#contract/limits.ts'
import { writtenText } from '#contract/moderation/decisions.ts'
import { email, nameText, typed } from '#contract/rules.ts'
import {
  inquiryActs,
  inquiryKinds,
  inquiryOutcomes,
  inquiryStates,
  intimateGrounds,
  MAX_INQUIRY_NAME,
  MAX_INQUIRY_RIGHT,
  MAX_INQUIRY_TEXT,
  opinions,
} from './states.ts'

const sender = {
  /** Of the person or organisation. */
  name: nameText(MAX_INQUIRY_NAME),
  email,
}
const text = writtenText(MAX_INQUIRY_TEXT)
/** Fields of a contact message. */
export const contactFields = v.object({ ...sender, text })
/** Fields of a claim about content. */
export const claimFields = v.object({
  ...sender,
  /** Address of a page of this site. */
  url: v.pipe(typed, v.trim(), v.nonEmpty('required'), v.maxLength(MAX_URL, 'too_long')),
  /** The right that is infringed. */
  right: writtenText(MAX_INQUIRY_RIGHT),
  /** How the content infringes it. */
  text,
  /** Why the content has to be removed, or the data are needed. */
  reason: text,
  /** The sender declares that all of it is true. */
  declared: v.literal(true, 'consent'),
  /** Whether the author may read the name. */
  may_tell_name: v.boolean(),
})
/** Fields of a person who is shown in sexual pictures or films. */
export const intimateFields = v.object({
  ...sender,
  /** Address or id of the post. */
  url: claimFields.entries.url,
  ground: v.picklist(intimateGrounds, 'required'),
  /** Which pictures or which part of a film, and how to see that it is the sender. */
  text,
  declared: claimFields.entries.declared,
})
/** Made by the device, so that a repeated call sends nothing twice. */
const device = { id }

/** A message, or a claim about content of this site. */
export const inquiryBody = v.variant('kind', [
  v.object({ kind: v.literal('contact'), ...device, ...contactFields.entries }),
  v.object({ kind: v.literal('copyright'), ...device, ...claimFields.entries }),
  v.object({ kind: v.literal('privacy'), ...device, ...claimFields.entries }),
  v.object({ kind: v.literal('disclosure'), ...device, ...claimFields.entries }),
  v.object({ kind: v.literal('intimate'), ...device, ...intimateFields.entries }),
])
export type InquiryBody = v.InferOutput<typeof inquiryBody>

/**
 * Stores an inquiry and emails a link that confirms the address; staff see it afterwards. The same id again changes nothing.
 * `invalid` with `unknown_content` at `url`: no post, comment, person or own message is there; of kind `intimate` also `no_media`, and
 * `already_requested` while another such request about the post waits for its decision. `conflict`: the id is another inquiry's.
 */
export const sendInquiry = endpoint({
  name: 'sendInquiry',
  method: 'POST',
  path: '/inquiries',
  audience: 'open',
  summary: 'お問い合わせ・申立てを送ります',
  body: inquiryBody,
  reply: v.object({ data: v.object({ id }) }),
  errors: ['invalid', 'conflict', 'rate_limited'],
})

/** Of the link in an email to the sender or to the author. */
const token = v.pipe(v.string(), v.maxLength(64))
const link = { inquiry_id: id, token }

export const inquiryEvent = v.object({
  act: v.picklist(inquiryActs),
  at: instant,
  /** What was written; '' for none. */
  text: v.string(),
})

/** What the sender wrote. Empty texts for a contact message, and once the texts are erased. */
const written = v.object({
  name: v.string(),
  email: v.string(),
  url: v.string(),
  right: v.string(),
  text: v.string(),
  reason: v.string(),
})
export type InquiryTexts = v.InferOutput<typeof written>

const common = {
  id,
  /** The number that emails name. */
  number: v.number(),
  kind: v.picklist(inquiryKinds),
  state: v.picklist(inquiryStates),
  outcome: v.nullable(v.picklist(inquiryOutcomes)),
}

/** An inquiry as its sender reads it: without what the author said. */
const ownInquiry = v.object({
  ...common,
  written,
  created_at: instant,
  /** Null before the confirmation. */
  due_at: v.nullable(instant),
  /** The oldest first. */
  events: v.array(inquiryEvent),
})
export type OwnInquiry = v.InferOutput<typeof ownInquiry>

/** An inquiry by the link of its email. `link_invalid`: none, or a wrong token. */
export const readInquiry = endpoint({
  name: 'readInquiry',
  method: 'POST',
  path: '/inquiries/read',
  audience: 'open',
  summary: 'メールのリンクからお問い合わせ・申立てを見ます',
  body: v.object(link),
  reply: v.object({ inquiry: ownInquiry }),
  errors: ['link_invalid'],
})

/**
 * Proves the email address: staff see the inquiry from now on. Repeated it changes nothing. Of kind `intimate` it hides the post, and is a
 * `conflict` while another request about the post waits for its decision.
 */
export const confirmInquiry = endpoint({
  name: 'confirmInquiry',
  method: 'POST',
  path: '/inquiries/confirm',
  audience: 'open',
  summary: 'メールアドレスを確認します',
  body: v.object(link),
  reply: v.object({ inquiry: ownInquiry }),
  errors: ['link_invalid', 'conflict'],
})

/** Answers the question of staff. `gone`: no question waits. The same text again changes nothing. */
export const answerInquiry = endpoint({
  name: 'answerInquiry',
  method: 'POST',
  path: '/inquiries/answer',
  audience: 'open',
  summary: '運営からの質問に答えます',
  body: v.object({ ...link, text }),
  reply: v.object({ inquiry: ownInquiry }),
  errors: ['link_invalid', 'gone'],
})

/** Withdraws an undecided inquiry. `gone`: it is decided. */
export const withdrawInquiry = endpoint({
  name: 'withdrawInquiry',
  method: 'POST',
  path: '/inquiries/withdraw',
  audience: 'open',
  summary: 'お問い合わせ・申立てを取り下げます',
  body: v.object(link),
  reply: v.object({ inquiry: ownInquiry }),
  errors: ['link_invalid', 'gone'],
})

/** A claim as the author of the content reads it. */
const askedOpinion = v.object({
  ...common,
  /** '' unless the sender allowed to tell it. */
  name: v.string(),
  url: v.string(),
  right: v.string(),
  /** '' for kind `intimate`. */
  text: v.string(),
  /** What staff wrote to the author. */
  question: v.string(),
  due_at: instant,
  opinion: v.nullable(v.picklist(opinions)),
  answer: v.string(),
})
export type AskedOpinion = v.InferOutput<typeof askedOpinion>

/** The question to an author, by the link of its email. */
export const readOpinion = endpoint({
  name: 'readOpinion',
  method: 'POST',
  path: '/inquiries/opinion/read',
  audience: 'open',
  summary: 'メールのリンクから意見照会を見ます',
  body: v.object(link),
  reply: v.object({ asked: askedOpinion }),
  errors: ['link_invalid'],
})

/** The author's answer, once. The same answer again changes nothing. `gone`: answered, too late, or decided. */
export const sendOpinion = endpoint({
  name: 'sendOpinion',
  method: 'POST',
  path: '/inquiries/opinion',
  audience: 'open',
  summary: '意見照会に答えます',
  body: v.variant('opinion', [
    v.object({ ...link, opinion: v.literal('consents') }),
    v.object({ ...link, opinion: v.literal('refuses'), text }),
  ]),
  reply: v.object({ asked: askedOpinion }),
  errors: ['link_invalid', 'gone'],
})
