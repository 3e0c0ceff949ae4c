// Cases that staff open without a report, and decisions and content of one person.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { caseDecision, caseRow, contentStates } from './cases.ts'

/** What staff may open a case about. Messages have no measures, and staff read only reported ones. */
export const openedKinds = ['post', 'comment', 'person'] as const
export type OpenedKind = (typeof openedKinds)[number]

/**
 * Opens the case of a thing or person for the viewer, who has taken it then, as `takeCase` does; an open one is taken, a decided one is
 * open again. Left without a decision, it is as before. `conflict`: another person has it, or its appeal waits for an answer. `forbidden`: the viewer, a
 * thing of the viewer or one that the viewer has reported, or a person whose role is not below the viewer's.
 */
export const openCase = endpoint({
  name: 'openCase',
  method: 'POST',
  path: '/admin/cases',
  audience: 'staff:reports',
  summary: '通報のない投稿・コメント・ユーザーへの対応を始めます',
  body: v.object({ kind: v.picklist(openedKinds), target_id: id }),
  reply: v.object({ case: caseRow }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'conflict'],
})

const personDecision = v.object({
  ...caseDecision.entries,
  case_id: id,
  kind: caseRow.entries.kind,
  /** The beginning of the content as it was; '' for messages and people. */
  excerpt: v.string(),
})
export type PersonDecision = v.InferOutput<typeof personDecision>

/** Whether undecided reports about and by the person wait. */
const waiting = v.object({ about: v.boolean(), by: v.boolean() })

/**
 * Decisions about a person, the latest first, at most 20, and the person's own case. `not_found` also for the viewer. Cases that the
 * viewer has reported are left out.
 */
export const readPersonCases = endpoint({
  name: 'readPersonCases',
  method: 'GET',
  path: '/admin/people/:user_id/cases',
  audience: 'staff:reports',
  summary: 'ユーザーへの処分（閲覧は記録されます）',
  params: v.object({ user_id: id }),
  reply: v.object({ case: v.nullable(caseRow), decisions: v.array(personDecision), waiting }),
  errors: ['unauthenticated', 'not_found'],
})

const personContent = v.object({
  kind: v.picklist(['post', 'comment']),
  id,
  /** The post, or the post of the comment. */
  post_id: id,
  /** The beginning of the text. */
  excerpt: v.string(),
  state: v.picklist(contentStates),
  is_age_limited: v.boolean(),
  created_at: instant,
})
export type PersonContent = v.InferOutput<typeof personContent>

/** Posts or comments of a person that the person has not deleted, the latest first; drafts are not among them. `not_found` also for the viewer. */
export const listPersonContent = endpoint({
  name: 'listPersonContent',
  method: 'GET',
  path: '/admin/people/:user_id/content',
  audience: 'staff:reports',
  summary: 'ユーザーの投稿とコメント（閲覧は記録されます）',
  params: v.object({ user_id: id }),
  query: v.object({
    kind: v.optional(v.picklist(['post', 'comment']), 'post'),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({ content: v.array(personContent), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})
