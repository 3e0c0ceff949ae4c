// Reviewing identity checks: for admins, every act of it in the audit log (decision 020).
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, instant } from './ids.ts'
import { checkState, documentKind, MAX_REVIEW_NOTE, part, prompt, rejectReason } from './identity.ts'
import { maxLength } from './rules.ts'
import { asLines } from './text-rule.ts'

const row = v.object({
  id,
  person: v.object({ id, name: v.string() }),
  state: checkState,
  document_kind: documentKind,
  submitted_at: instant,
  reviewer_id: v.nullable(id),
  decided_at: v.nullable(instant),
})

const checkParams = v.object({ check_id: id })

/** Oldest first: whoever waits longest comes first. */
export const listChecks = endpoint({
  name: 'listIdentityChecks',
  method: 'GET',
  path: '/admin/identity/checks',
  audience: 'admin',
  summary: '本人確認の一覧（待っている順）',
  query: v.object({
    state: v.optional(checkState, 'submitted'),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({ checks: v.array(row), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})

const detail = v.object({
  ...row.entries,
  birth_date: v.string(),
  legal_name: v.string(),
  legal_name_kana: v.string(),
  prompts: v.array(prompt),
  reason: v.nullable(rejectReason),
  note: v.string(),
  /** Empty once their time is over (decision 021). */
  files: v.array(v.object({ id, part, mime: v.string(), length: v.number() })),
})

export const getCheck = endpoint({
  name: 'getIdentityCheck',
  method: 'GET',
  path: '/admin/identity/checks/:check_id',
  audience: 'admin',
  summary: '本人確認の内容（閲覧は記録されます）',
  params: checkParams,
  reply: detail,
  errors: ['unauthenticated', 'not_found'],
})

const moved = v.object({ data: v.object({ id, state: checkState }) })

/** Takes a check into one's own review, also out of another admin's hands. */
export const takeCheck = endpoint({
  name: 'takeIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/take',
  audience: 'admin',
  summary: '審査を担当します',
  params: checkParams,
  reply: moved,
  errors: ['unauthenticated', 'not_found', 'conflict', 'forbidden'],
})

/** `conflict`: not in this admin's review. `forbidden`: one's own check. */
export const approveCheck = endpoint({
  name: 'approveIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/approve',
  audience: 'admin',
  summary: '本人確認を承認します',
  params: checkParams,
  reply: moved,
  errors: ['unauthenticated', 'not_found', 'conflict', 'forbidden'],
})

export const rejectCheck = endpoint({
  name: 'rejectIdentityCheck',
  method: 'POST',
  path: '/admin/identity/checks/:check_id/reject',
  audience: 'admin',
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

/** Below the API base. The bytes of one file of a check; each reading stands in the audit log before its first byte. */
export const CHECK_FILE_PATH = '/admin/identity/files/:file_id'
