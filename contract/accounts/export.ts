// Data export: a zip made by a job, announced by email, for seven days.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'

/** How long an export can be downloaded, ms. */
export const EXPORT_MS = 7 * 24 * 3600_000
/** From one request to the next, ms. A request that failed does not count. */
export const EXPORT_EVERY_MS = 24 * 3600_000

/** Where the zip is fetched, below the API's base. */
export const EXPORT_FILE_PATH = '/user/export/file'
/** Cookie of that path alone, with the secret of the email's link: an address would be in the logs of proxies. */
export const EXPORT_COOKIE = 'todoke_export'
/** How long a browser keeps it, s: an interrupted download continues. */
export const EXPORT_COOKIE_S = 24 * 3600

const exportView = v.variant('is', [
  v.object({ is: v.literal('none') }),
  v.object({ is: v.literal('waiting'), asked_at: instant }),
  v.object({
    is: v.literal('ready'),
    asked_at: instant,
    expires_at: instant,
    /** Bytes. */
    length: v.number(),
  }),
  v.object({ is: v.literal('failed'), asked_at: instant }),
  v.object({ is: v.literal('expired'), asked_at: instant }),
])
export type ExportView = v.InferOutput<typeof exportView>

const reply = v.object({
  export: exportView,
  /** When the next export may be requested; null: now. */
  may_ask_at: v.nullable(instant),
})

/** The newest export of the person. */
export const getExport = endpoint({
  name: 'getExport',
  method: 'GET',
  path: '/user/export',
  audience: 'member',
  whileLeaving: true,
  summary: '自分のデータの書き出しの状態',
  reply,
  errors: ['unauthenticated'],
})

/** A request during an export returns that export. Needs a recent password validation. */
export const requestExport = endpoint({
  name: 'askExport',
  method: 'POST',
  path: '/user/export',
  audience: 'member',
  summary: '自分のデータの書き出しを申し込みます',
  reply,
  errors: ['unauthenticated', 'validation_required', 'rate_limited'],
})
