// Exports of a person's data for an authority, made and downloaded by one admin.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { day, required } from '#contract/rules.ts'

/** Longest case number, characters. */
export const MAX_CASE_NUMBER = 100
/** It can be downloaded for this time after it was made, ms. */
export const AUTHORITY_EXPORT_MS = 24 * 3600_000

const authorityExport = v.object({
  id,
  case_number: v.string(),
  /** The first and the last day, in Asia/Tokyo. */
  from: v.string(),
  to: v.string(),
  state: v.picklist(['waiting', 'ready', 'failed', 'expired']),
  requested_at: instant,
  expires_at: v.nullable(instant),
})
export type AuthorityExport = v.InferOutput<typeof authorityExport>

const params = v.object({ user_id: id })

/** Those that the caller requested about the person, the newest first. */
export const listAuthorityExports = endpoint({
  name: 'listAuthorityExports',
  method: 'GET',
  path: '/admin/people/:user_id/exports',
  audience: 'staff:authority',
  summary: '照会への回答ファイルの一覧',
  params,
  reply: v.object({ exports: v.array(authorityExport) }),
  errors: ['unauthenticated', 'not_found'],
})

/** Requires a validation. `invalid` with `to: too_small` when the last day is before the first. */
export const requestAuthorityExport = endpoint({
  name: 'requestAuthorityExport',
  method: 'POST',
  path: '/admin/people/:user_id/exports',
  audience: 'staff:authority',
  summary: '照会への回答ファイルを作ります',
  params,
  body: v.object({
    case_number: v.pipe(required, v.trim(), v.nonEmpty('required'), v.maxLength(MAX_CASE_NUMBER, 'too_long')),
    from: day,
    to: day,
  }),
  reply: v.object({ data: authorityExport }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'invalid'],
})

/** Path of the file of an export: a zip, for the admin who requested it, after a validation. */
export const authorityFilePath = (exportId: string): string => `/admin/authority-exports/${exportId}/file`
