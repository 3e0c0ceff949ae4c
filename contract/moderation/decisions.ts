// Decisions about a person's content or account, as that person reads and appeals them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { reportKind, reportReason } from '#contract/posts/reports.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { MAX_APPEAL_TEXT, measureKinds } from './measures.ts'

/** A text of several lines that staff or a person writes; required. */
export const writtenText = (max: number) =>
  v.pipe(
    v.string(),
    v.transform((it) => asLines(it).trim()),
    v.nonEmpty('required'),
    maxLength(max),
  )

export const measureView = v.object({
  kind: v.picklist(measureKinds),
  /** When it ends by itself; null without an end. */
  until: v.nullable(instant),
  ended_at: v.nullable(instant),
})
export type MeasureView = v.InferOutput<typeof measureView>

/** `open`: waits for its answer. `upheld`: the decision stays. `granted`: it was undone. */
export const appealStates = ['open', 'upheld', 'granted'] as const

export const appealView = v.object({
  state: v.picklist(appealStates),
  text: v.string(),
  sent_at: instant,
  /** Null while it is open. */
  answered_at: v.nullable(instant),
  /** '' while it is open. */
  answer: v.string(),
})
export type AppealView = v.InferOutput<typeof appealView>

/** A decision with measures, without who decided and who reported. */
export const ownDecision = v.object({
  id,
  kind: reportKind,
  target_id: id,
  /** The beginning of the content as it was; '' for messages and people. */
  excerpt: v.string(),
  rule: reportReason,
  text: v.string(),
  measures: v.array(measureView),
  decided_at: instant,
  /** Null unless it was undone. */
  undone_at: v.nullable(instant),
  appeal: v.nullable(appealView),
  /** Until when an appeal is accepted; null when none is. */
  appeal_until: v.nullable(instant),
})
export type OwnDecision = v.InferOutput<typeof ownDecision>

/** Decisions about the viewer, the latest first. */
export const listOwnDecisions = endpoint({
  name: 'listOwnDecisions',
  method: 'GET',
  path: '/decisions/own',
  audience: 'member',
  summary: '自分への処分',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ decisions: v.array(ownDecision), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** Of the link in the email about a decision: suspended people cannot sign in. */
const token = v.pipe(v.string(), v.maxLength(64))

/** One decision, by the link of its email. `link_invalid`: no such decision, or a wrong token. */
export const readDecision = endpoint({
  name: 'readDecision',
  method: 'POST',
  path: '/decisions/read',
  audience: 'open',
  summary: 'メールのリンクから処分の内容を見ます',
  body: v.object({ decision_id: id, token }),
  /** `records`: the account is suspended, and the link opens its payment records; servers of an earlier version leave it out. */
  reply: v.object({ decision: ownDecision, records: v.optional(v.boolean(), false) }),
  errors: ['link_invalid'],
})

/**
 * Appeals a decision, once, within 14 days: by its person, or by anyone with the link of its email. The same text sent again changes
 * nothing. `not_found`: no decision about the viewer. `gone`: too late, undone, or appealed with another text.
 */
export const sendAppeal = endpoint({
  name: 'sendAppeal',
  method: 'POST',
  path: '/decisions/appeal',
  audience: 'open',
  summary: '処分に異議を申し立てます',
  body: v.object({ decision_id: id, token: v.optional(token), text: writtenText(MAX_APPEAL_TEXT) }),
  reply: v.object({ decision: ownDecision }),
  errors: ['unauthenticated', 'not_found', 'link_invalid', 'gone'],
})
