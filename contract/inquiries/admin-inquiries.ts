// Inquiries as staff list, take, ask about and decide them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { contentStates } from '#contract/moderation/cases.ts'
import { writtenText } from '#contract/moderation/decisions.ts'
import {
  contentMeasures,
  MAX_DECISION_TEXT,
  measureDays,
  personMeasures,
} from '#contract/moderation/measures.ts'
import { personView } from '#contract/people/people.ts'
import { mediaView } from '#contract/posts/media.ts'
import { reportKind } from '#contract/posts/reports.ts'
import { inquiryEvent } from './inquiries.ts'
import { inquiryKinds, inquiryLists, inquiryOutcomes, inquiryStates, opinions } from './states.ts'

const staffName = v.object({ id, name: v.string() })

const inquiryRow = v.object({
  id,
  number: v.number(),
  kind: v.picklist(inquiryKinds),
  state: v.picklist(inquiryStates),
  outcome: v.nullable(v.picklist(inquiryOutcomes)),
  /** Name of the sender; '' once it is erased. */
  name: v.string(),
  /** Beginning of the text. */
  excerpt: v.string(),
  received_at: instant,
  due_at: instant,
  decided_at: v.nullable(instant),
  taken: v.nullable(v.object({ by: staffName, until: instant })),
})
export type InquiryRow = v.InferOutput<typeof inquiryRow>

/**
 * Confirmed inquiries, the earliest due first, so that the overdue ones are the first; decided ones the latest first. `late`: overdue ones
 * alone. Inquiries of the viewer and about the viewer are in no list, and claims for disclosure are for admins.
 */
export const listInquiries = endpoint({
  name: 'listInquiries',
  method: 'GET',
  path: '/admin/inquiries',
  audience: 'staff:reports',
  summary: 'お問い合わせ・申立ての一覧',
  query: v.object({
    list: v.optional(v.picklist(inquiryLists), 'open'),
    kind: v.optional(v.picklist(inquiryKinds)),
    late: v.optional(v.literal('1')),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({ inquiries: v.array(inquiryRow), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})

const inquiryView = v.object({
  ...inquiryRow.entries,
  email: v.string(),
  url: v.string(),
  right: v.string(),
  text: v.string(),
  reason: v.string(),
  may_tell_name: v.boolean(),
  /** The account that sent it; null for a visitor. */
  sender: v.nullable(personView),
  opinion: v.nullable(v.picklist(opinions)),
  /** Until when the author may answer; null unless an opinion was requested. */
  opinion_due_at: v.nullable(instant),
  /** With who acted, for acts of staff. The oldest first. */
  events: v.array(v.object({ ...inquiryEvent.entries, by: v.nullable(staffName) })),
  /** What a claim is about; null for a contact message. */
  content: v.nullable(
    v.object({
      kind: reportKind,
      target_id: id,
      owner: v.nullable(personView),
      state: v.picklist(contentStates),
      text: v.string(),
      media: v.array(mediaView),
      post_id: v.nullable(id),
      /** The case of the content; null for claims for disclosure. */
      case_id: v.nullable(id),
      /** Undecided reports of that case. */
      reports: v.number(),
      may_measure_person: v.boolean(),
    }),
  ),
})
export type InquiryView = v.InferOutput<typeof inquiryView>

const params = v.object({ inquiry_id: id })
const one = { params, audience: 'staff:reports', reply: v.object({ inquiry: inquiryView }) } as const
const changing = ['unauthenticated', 'not_found', 'conflict'] as const

/** An inquiry. Each reading is in the audit log. */
export const getInquiry = endpoint({
  ...one,
  name: 'getInquiry',
  method: 'GET',
  path: '/admin/inquiries/:inquiry_id',
  summary: 'お問い合わせ・申立ての内容（閲覧は記録されます）',
  errors: ['unauthenticated', 'not_found'],
})

/** Takes an inquiry for 15 minutes, or for 15 more. `conflict`: another person has it, or it is decided. */
export const takeInquiry = endpoint({
  ...one,
  name: 'takeInquiry',
  method: 'POST',
  path: '/admin/inquiries/:inquiry_id/take',
  summary: 'お問い合わせ・申立ての対応を始めます',
  errors: changing,
})

/** Gives a taken inquiry back. */
export const leaveInquiry = endpoint({
  ...one,
  name: 'leaveInquiry',
  method: 'POST',
  path: '/admin/inquiries/:inquiry_id/leave',
  summary: 'お問い合わせ・申立ての対応をやめます',
  errors: ['unauthenticated', 'not_found'],
})

const letter = v.object({ text: writtenText(MAX_DECISION_TEXT) })

/** Asks the sender for more, by email. `conflict`: not taken by the viewer, or waits for an answer. */
export const askSender = endpoint({
  ...one,
  name: 'askSender',
  method: 'POST',
  path: '/admin/inquiries/:inquiry_id/ask-sender',
  summary: '送信者に質問します',
  body: letter,
  errors: changing,
})

/**
 * Requests an opinion of the author (意見照会), once, by email. `conflict`: not taken by the viewer, requested before, without an author, or a
 * contact message.
 */
export const askAuthor = endpoint({
  ...one,
  name: 'askAuthor',
  method: 'POST',
  path: '/admin/inquiries/:inquiry_id/ask-author',
  summary: '発信者に意見を照会します',
  body: letter,
  errors: changing,
})

const measure = v.object({
  content: v.nullable(v.picklist(contentMeasures)),
  person: v.nullable(v.picklist(personMeasures)),
  days: v.nullable(v.picklist(measureDays)),
  text_to_person: writtenText(MAX_DECISION_TEXT),
  /** To members who reported the same content. */
  text_to_reporters: writtenText(MAX_DECISION_TEXT),
  /** Undecided reports of the case that the page showed. */
  seen: v.number(),
})
export type InquiryMeasure = v.InferOutput<typeof measure>

const decision = v.object({
  outcome: v.picklist(inquiryOutcomes),
  text_to_sender: writtenText(MAX_DECISION_TEXT),
  measure: v.nullable(measure),
})
export type InquiryDecision = v.InferOutput<typeof decision>

/**
 * Decides an inquiry that the viewer has taken. Requires a validation. A measure decides the case of the content, so that it can be
 * undone and appealed. `conflict`: not taken by the viewer, the case was reported again since, is appealed, or is taken by another person.
 * `invalid`: an outcome of another kind; `measure` with `required`: removed content is shown still. `unseen`: a measure also decides other reports, and the viewer has not
 * read the case.
 */
export const decideInquiry = endpoint({
  ...one,
  name: 'decideInquiry',
  method: 'POST',
  path: '/admin/inquiries/:inquiry_id/decide',
  summary: 'お問い合わせ・申立てを判断します',
  body: decision,
  errors: [...changing, 'forbidden', 'validation_required', 'invalid', 'unseen'],
})
