// Review of identity checks by admins, with an audit log (decision 020).
import { checkLists } from './check-lists.ts'
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { checkState, documentKind, MAX_REVIEW_NOTE, part, prompt, rejectReason } from './identity.ts'
import { maxLength, required } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'

const row = v.object({
  id,
  person: v.object({ id, name: v.string() }),
  state: checkState,
  document_kind: documentKind,
  submitted_at: instant,
  /** The admin who took it last. */
  reviewer: v.nullable(v.object({ id, name: v.string() })),
  /** Until when the reviewer alone may decide it, 15 minutes after it was taken; null without a lock. */
  taken_until: v.nullable(instant),
  /** Whether the requesting admin can take it: not their own, undecided, and not locked for an admin. */
  takeable: v.boolean(),
  decided_at: v.nullable(instant),
})

const checkParams = v.object({ check_id: id })

/** Open checks by the time of their submission, decided ones the latest first. Each page is written to the audit log. */
export const listChecks = endpoint({
  name: 'listIdentityChecks',
  method: 'GET',
  path: '/admin/identity/checks',
  audience: 'staff:identity',
  summary: '本人確認の一覧（閲覧は記録されます）',
  query: v.object({
    list: v.optional(v.picklist(checkLists), 'waiting'),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({ checks: v.array(row), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})

const detail = v.object({
  ...row.entries,
  reason: v.nullable(rejectReason),
  note: v.string(),
  /** For the admin who took the check alone; null for every other one. */
  evidence: v.nullable(
    v.object({
      birth_date: v.string(),
      legal_name: v.string(),
      legal_name_kana: v.string(),
      prompts: v.array(prompt),
      /** Empty once their time is over (decision 021). */
      files: v.array(
        v.object({
          id,
          part,
          mime: v.string(),
          length: v.number(),
          /** Whether all of it was sent to this admin. A server before decision 120 does not say. */
          shown: v.optional(v.boolean(), false),
        }),
      ),
    }),
  ),
})
export type CheckDetail = v.InferOutput<typeof detail>
export type CheckView = v.InferOutput<typeof row>

export const getCheck = endpoint({
  name: 'getIdentityCheck',
  method: 'GET',
  path: '/admin/identity/checks/:check_id',
  audience: 'staff:identity',
  summary: '本人確認の内容（閲覧は記録されます）',
  params: checkParams,
  reply: detail,
  errors: ['unauthenticated', 'not_found'],
})

const moved = v.object({ data: v.object({ id, state: checkState }) })

/** Takes a check for 15 minutes. `conflict`: another admin has it, or it is decided. */
export const takeCheck = endpoint({
  name: 'takeIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/take',
  audience: 'staff:identity',
  summary: '審査を担当します',
  params: checkParams,
  reply: moved,
  errors: ['unauthenticated', 'not_found', 'conflict', 'forbidden'],
})

/** Gives a check one took back to the others. `conflict`: it is not in this admin's review. */
export const returnCheck = endpoint({
  name: 'returnIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/return',
  audience: 'staff:identity',
  summary: '担当を外れます',
  params: checkParams,
  reply: moved,
  errors: ['unauthenticated', 'not_found', 'conflict', 'forbidden'],
})

/** What the account says about its person, as the admin was shown it; `required` without a name. */
const compared = v.object({ legal_name: required, legal_name_kana: required, birth_date: v.string() })

/**
 * `conflict`: not taken by this admin within 15 minutes. `forbidden`: the admin's own check. `unseen`: a part was not sent to this
 * admin whole, or the account says another thing now than in the body.
 */
export const approveCheck = endpoint({
  name: 'approveIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/approve',
  audience: 'staff:identity',
  summary: '本人確認を承認します',
  params: checkParams,
  body: compared,
  reply: moved,
  errors: ['unauthenticated', 'not_found', 'conflict', 'forbidden', 'unseen'],
})

export const rejectCheck = endpoint({
  name: 'rejectIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/reject',
  audience: 'staff:identity',
  summary: '本人確認を差し戻します',
  params: checkParams,
  body: v.object({
    reason: rejectReason,
    note: v.optional(
      v.pipe(
        v.string(),
        v.transform((it) => asLines(it).trim()),
        maxLength(MAX_REVIEW_NOTE),
      ),
      '',
    ),
  }),
  reply: moved,
  errors: ['unauthenticated', 'not_found', 'conflict', 'forbidden'],
})

/**
 * Below the API base. The bytes of one file of a check, for the admin who took it (`forbidden` for others) and who has
 * confirmed who they are within the last 10 minutes (`validation_required`). Each opening is written to the audit log
 * before its first byte, and before its last byte that the file was shown. A part of it shows nothing.
 */
export const CHECK_FILE_PATH = '/admin/identity/files/:file_id'
