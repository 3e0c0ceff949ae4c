// Cases: all reports of one thing, which staff take and decide.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { mediaView } from '#contract/posts/media.ts'
import { reportKind, reportReason } from '#contract/posts/reports.ts'
import { caseOrders, caseStates } from './case-states.ts'
import { appealView, measureView, writtenText } from './decisions.ts'
import { holdReasons, holdStates } from './hold-names.ts'
import {
  contentMeasures,
  MAX_CASE_NOTE,
  MAX_DECISION_TEXT,
  measureDays,
  measureKinds,
  personMeasures,
} from './measures.ts'

const staffName = v.object({ id, name: v.string() })

const caseHold = v.object({
  reason: v.picklist(holdReasons),
  /** The word of the operator's list; '' for another reason. */
  word: v.string(),
  /** Different bits of the hashes of the two pictures; 0 for the same file, null for another reason. */
  distance: v.nullable(v.number()),
  state: v.picklist(holdStates),
  since: instant,
})

export const caseRow = v.object({
  id,
  kind: reportKind,
  target_id: id,
  /** The author of the content, or the reported person; null when the account is deleted. */
  owner: v.nullable(personView),
  state: v.picklist(caseStates),
  /** Undecided reports. */
  reports: v.number(),
  /** Each once, the most frequent first. */
  reasons: v.array(reportReason),
  /** Beginning of the reported text; '' for messages. */
  excerpt: v.string(),
  /** When its oldest undecided report, its appeal or its last decision came. */
  since: instant,
  /** The last hold of the content by a rule; null when there was none. */
  hold: v.nullable(caseHold),
  /** Who works on it, and until when it is locked for others. */
  taken: v.nullable(v.object({ by: staffName, until: instant })),
})
export type CaseRow = v.InferOutput<typeof caseRow>

/**
 * Cases in one state. Cases about the viewer, and those that the viewer has reported, are in no list; appeals of the viewer's own
 * decisions are left to others.
 */
export const listCases = endpoint({
  name: 'listCases',
  method: 'GET',
  path: '/admin/cases',
  audience: 'staff:reports',
  summary: '通報の一覧',
  query: v.object({
    state: v.optional(v.picklist(caseStates), 'open'),
    kind: v.optional(reportKind),
    order: v.optional(v.picklist(caseOrders), 'age'),
    /** Cases about a person alone. */
    about: v.optional(id),
    /** Cases that a person has reported alone. */
    by: v.optional(id),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({ cases: v.array(caseRow), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})

const caseReport = v.object({
  id,
  /** Null when the reporter's account is deleted, and for an inquiry. */
  reporter: v.nullable(personView),
  reason: reportReason,
  detail: v.string(),
  created_at: instant,
  is_decided: v.boolean(),
  /** The inquiry that is this report (`contract/inquiries/`); null for a report of a member. */
  inquiry: v.nullable(v.object({ id, number: v.number() })),
})
export type CaseReport = v.InferOutput<typeof caseReport>

export const caseDecision = v.object({
  id,
  outcome: v.picklist(['acted', 'dismissed']),
  rule: v.nullable(reportReason),
  text_to_person: v.string(),
  text_to_reporters: v.string(),
  /** What staff wrote for other staff; '' for nothing. The person never reads it. */
  note: v.string(),
  by: v.nullable(staffName),
  decided_at: instant,
  undone: v.nullable(v.object({ by: v.nullable(staffName), at: instant })),
  measures: v.array(measureView),
  appeal: v.nullable(appealView),
})
export type CaseDecision = v.InferOutput<typeof caseDecision>

/** `present`: shown to people. `held`: waits for this decision, and its author alone sees it. `withheld`: hidden or removed by a measure. `deleted`: by its author, or with the account. */
export const contentStates = ['present', 'held', 'withheld', 'deleted'] as const

const caseView = v.object({
  ...caseRow.entries,
  /** Names and texts as they were at the latest report. */
  reported: v.record(v.string(), v.string()),
  /** The same as one text, in the form of `current.text`. Servers of the version before send none. */
  reported_text: v.optional(v.string()),
  current: v.object({
    state: v.picklist(contentStates),
    /** '' for messages. */
    text: v.string(),
    media: v.array(mediaView),
    is_age_limited: v.boolean(),
    /** The post of a comment. */
    post_id: v.nullable(id),
  }),
  /**
   * Of a reported message: the report whose copies have to be read before a decision, and whether they were shown to the viewer. Null
   * without copies. A server before decision 120 does not say.
   */
  messages: v.optional(v.nullable(v.object({ report_id: id, shown: v.boolean() }))),
  /** Newest first, at most 100. */
  history: v.array(caseReport),
  /** Of this case, the latest first. */
  decisions: v.array(caseDecision),
  /** Other decisions about the owner, the latest first, at most 20. */
  earlier: v.array(
    v.object({
      id,
      case_id: id,
      kinds: v.array(v.picklist(measureKinds)),
      decided_at: instant,
      undone: v.boolean(),
    }),
  ),
  /** How often the owner was reported, and has reported. */
  counts: v.object({ reports_about: v.number(), reports_by: v.number() }),
  /** Whether the viewer may suspend and limit the owner: staff with the same or a higher role are for admins. */
  may_measure_person: v.boolean(),
})
export type CaseView = v.InferOutput<typeof caseView>

const params = v.object({ case_id: id })

/** A case. Each reading is in the audit log. `not_found` also for a case about the viewer, or reported by the viewer. */
export const getCase = endpoint({
  name: 'getCase',
  method: 'GET',
  path: '/admin/cases/:case_id',
  audience: 'staff:reports',
  summary: '通報の内容（閲覧は記録されます）',
  params,
  reply: v.object({ case: caseView }),
  errors: ['unauthenticated', 'not_found'],
})

/** Takes a case for 15 minutes, or for 15 more. `conflict`: another person has it. */
export const takeCase = endpoint({
  name: 'takeCase',
  method: 'POST',
  path: '/admin/cases/:case_id/take',
  audience: 'staff:reports',
  summary: '通報の対応を始めます',
  params,
  reply: v.object({ case: caseRow }),
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

/** Gives a taken case back. */
export const leaveCase = endpoint({
  name: 'leaveCase',
  method: 'POST',
  path: '/admin/cases/:case_id/leave',
  audience: 'staff:reports',
  summary: '通報の対応をやめます',
  params,
  reply: v.object({ case: caseRow }),
  errors: ['unauthenticated', 'not_found'],
})

const decision = v.variant('is', [
  /** Shows what was held; for a case without reports, which has no one to write to. */
  v.object({ is: v.literal('approve') }),
  v.object({ is: v.literal('dismiss'), text_to_reporters: writtenText(MAX_DECISION_TEXT) }),
  v.object({
    is: v.literal('act'),
    rule: reportReason,
    content: v.nullable(v.picklist(contentMeasures)),
    person: v.nullable(v.picklist(personMeasures)),
    /** Of `limit` and `suspend`; null without an end. */
    days: v.nullable(v.picklist(measureDays)),
    text_to_person: writtenText(MAX_DECISION_TEXT),
    /** Required where there are reports. */
    text_to_reporters: v.optional(v.union([v.literal(''), writtenText(MAX_DECISION_TEXT)]), ''),
  }),
])
export type Decision = v.InferOutput<typeof decision>

/**
 * Decides a case that the viewer has taken. Requires a validation. `seen`: the number of reports that the page showed. `conflict`: not taken by
 * the viewer, not open, or reported again since. `forbidden`: a measure about staff with the same or a higher role.
 * A dismissal, and measures that leave the content, show what was held. `conflict` also for `approve` of a reported thing.
 * `invalid`: without a measure, or with one that this kind of content does not have. `unseen`: the viewer has not read the case since it
 * waits, the copies of a reported message, or a post again that was edited since and is to stay.
 */
export const decideCase = endpoint({
  name: 'decideCase',
  method: 'POST',
  path: '/admin/cases/:case_id/decide',
  audience: 'staff:reports',
  summary: '通報を判断します',
  params,
  body: v.object({
    seen: v.number(),
    decision,
    /** For other staff alone. */
    note: v.optional(v.union([v.literal(''), writtenText(MAX_CASE_NOTE)]), ''),
  }),
  reply: v.object({ case: caseRow }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict', 'unseen'],
})

/**
 * Undoes a decision of a case, the last one by default. With reports or a hold the case is then open again. Requires a validation. `gone`: removed
 * content was deleted for good, or no such decision is left. `conflict`: appealed, open, or taken by another person.
 */
export const undoDecision = endpoint({
  name: 'undoDecision',
  method: 'POST',
  path: '/admin/cases/:case_id/undo',
  audience: 'staff:reports',
  summary: '判断を取り消します',
  params,
  body: v.object({ decision_id: v.optional(id) }),
  reply: v.object({ case: caseRow }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict', 'gone'],
})

/** Answers the appeal of a case that the viewer has taken. Requires a validation. `forbidden`: the viewer made the decision. `unseen` as `decideCase`. */
export const answerAppeal = endpoint({
  name: 'answerAppeal',
  method: 'POST',
  path: '/admin/cases/:case_id/answer',
  audience: 'staff:reports',
  summary: '異議申し立てに回答します',
  params,
  body: v.object({ granted: v.boolean(), answer: writtenText(MAX_DECISION_TEXT) }),
  reply: v.object({ case: caseRow }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict', 'unseen'],
})
