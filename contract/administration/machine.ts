// The machine: versions, health, jobs, failed media, storage and figures of servers.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { sandboxStates } from '#contract/health.ts'
import { id, instant } from '#contract/ids.ts'

export const checkNames = ['database', 'store', 'redis', 'mail', 'push', 'payments', 'sandbox'] as const
export type CheckName = (typeof checkNames)[number]

/** Why a check is not `ok`. `damaged`: a page of the embedded database could not be read. `late`: it did not end within its time. `off`: it is not configured. `practice_money`: payments by a practice provider are not refunded, and money is real. `provider_gone`: a provider that charges members or has open payments is not configured any more. `sales_paused`: the operator takes no new purchases and members. */
export const checkReasons = [
  'late',
  'slow',
  'refused',
  'unreachable',
  'low_room',
  'damaged',
  'pushes_fail',
  'call_failed',
  'no_sandbox',
  'off',
  'practice',
  'practice_money',
  'provider_gone',
  'sales_paused',
  'other',
] as const
export type CheckReason = (typeof checkReasons)[number]

const check = v.object({
  name: v.picklist(checkNames),
  state: v.picklist(['ok', 'slow', 'failing', 'off']),
  /** Since when this process has seen this state. */
  since: instant,
  checked_at: instant,
  /** How long the check took, ms; null where it only reads what is known. */
  ms: v.nullable(v.number()),
  reason: v.nullable(v.picklist(checkReasons)),
  /** Text of the error for engineers, without secrets; '' for none. */
  detail: v.string(),
})
export type Check = v.InferOutput<typeof check>

const delay = v.object({ p50: v.number(), p99: v.number(), max: v.number() })

/** Times of one route, ms; `route` is its method and pattern. */
const routeTimes = v.object({
  route: v.string(),
  count: v.number(),
  p50: v.number(),
  p95: v.number(),
  p99: v.number(),
  max: v.number(),
})
export type RouteTimes = v.InferOutput<typeof routeTimes>

/** Pushes of the last hour that one push service got. */
const pushFigures = v.object({
  service: v.string(),
  sent: v.number(),
  failed: v.number(),
  /** Devices that the service no longer knows, which is no failure. */
  expired: v.number(),
})
export type PushFigures = v.InferOutput<typeof pushFigures>

/** What one server process measures of itself. */
export const serverFigures = v.object({
  /** The sandbox in which it decodes media; null where it makes none, as with `ROLE=web`. */
  media_sandbox: v.optional(v.nullable(v.picklist(sandboxStates)), null),
  started_at: instant,
  build: v.nullable(v.string()),
  node: v.string(),
  /** Bytes. */
  memory: v.object({ rss: v.number(), heap: v.number(), heap_limit: v.number() }),
  /** Of the last five minutes, ms. */
  loop: delay,
  /** Part of the time that the event loop was busy, 0 to 1, in the same minutes. */
  utilisation: v.number(),
  /** The slowest routes of the last hour, by p99. */
  routes: v.array(routeTimes),
  pushes: v.array(pushFigures),
})
export type ServerFigures = v.InferOutput<typeof serverFigures>

const server = v.object({
  id,
  /** Whether it answered this request. */
  own: v.boolean(),
  /** When it measured. */
  at: instant,
  ...serverFigures.entries,
})
export type Server = v.InferOutput<typeof server>

const queue = v.object({
  name: v.string(),
  /** `waiting` may be due later. */
  waiting: v.number(),
  running: v.number(),
  failed: v.number(),
  /** Since when the oldest of those that wait or run exists; null for none. */
  since: v.nullable(instant),
})
export type Queue = v.InferOutput<typeof queue>

/** A number of things and their bytes. */
const used = v.object({ count: v.number(), bytes: v.number() })

export const getMachine = endpoint({
  name: 'getMachine',
  method: 'GET',
  path: '/admin/machine',
  audience: 'staff:machine',
  summary: 'サーバーのバージョン、状態、待ち行列、容量と速度',
  reply: v.object({
    at: instant,
    versions: v.object({
      /** The minute of the commit of the app, as in `contract/notices/admin-notices.ts`; null where unknown. */
      build: v.nullable(v.string()),
      commit: v.nullable(v.string()),
      node: v.string(),
      database: v.string(),
      redis: v.nullable(v.string()),
      ffmpeg: v.nullable(v.string()),
      migrations: v.object({ applied: v.number(), known: v.number() }),
    }),
    checks: v.array(check),
    queues: v.array(queue),
    storage: v.object({
      /** Bytes of the disk of the data folder; null where unknown. */
      free: v.nullable(v.number()),
      total: v.nullable(v.number()),
      /** Uploads are refused below this; 0 for none. */
      floor: v.number(),
      uploads: used,
      media: used,
      documents: used,
      exports: used,
      counted_at: instant,
    }),
    servers: v.array(server),
  }),
  errors: ['unauthenticated', 'not_found'],
})

const failedJob = v.object({
  id,
  name: v.string(),
  failed_at: instant,
  tries: v.number(),
  /** Message of the last error, without secrets; '' without one. */
  reason: v.string(),
})
export type FailedJob = v.InferOutput<typeof failedJob>

/** Most failed jobs of one reply: the newest. */
export const FAILED_JOBS = 50

const jobName = v.pipe(v.string(), v.nonEmpty('required'), v.maxLength(60, 'too_long'))

export const listFailedJobs = endpoint({
  name: 'listFailedJobs',
  method: 'GET',
  path: '/admin/machine/jobs',
  audience: 'staff:machine',
  summary: '失敗した処理',
  reply: v.object({ jobs: v.array(failedJob) }),
  errors: ['unauthenticated', 'not_found'],
})

/** One failed job, or all failed ones of a kind. */
const whichJobs = v.union([v.strictObject({ id }), v.strictObject({ name: jobName })])

/** Tries failed jobs once more. Requires a validation. */
export const retryFailedJobs = endpoint({
  name: 'retryFailedJobs',
  method: 'POST',
  path: '/admin/machine/jobs/retry',
  audience: 'staff:machine',
  summary: '失敗した処理を、もう一度実行します',
  body: whichJobs,
  reply: v.object({ count: v.number() }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'invalid'],
})

/** Deletes failed jobs, whose work is then not done. Requires a validation. */
export const dropFailedJobs = endpoint({
  name: 'dropFailedJobs',
  method: 'POST',
  path: '/admin/machine/jobs/drop',
  audience: 'staff:machine',
  summary: '失敗した処理を、実行せずに削除します',
  body: whichJobs,
  reply: v.object({ count: v.number() }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'invalid'],
})

const failedMedia = v.object({
  id,
  kind: v.picklist(['image', 'video']),
  owner: v.object({ id, name: v.string() }),
  /** Why it failed, a name of `server/store/media/media.ts`; '' for none. */
  reason: v.string(),
  /** When its last attempt began; null for none. */
  at: v.nullable(instant),
  attempts: v.number(),
  /** Bytes of the file. */
  bytes: v.nullable(v.number()),
})
export type FailedMedia = v.InferOutput<typeof failedMedia>

export const listFailedMedia = endpoint({
  name: 'listFailedMedia',
  method: 'GET',
  path: '/admin/machine/media',
  audience: 'staff:machine',
  summary: '処理できなかったファイル',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(300))) }),
  reply: v.object({ media: v.array(failedMedia), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found', 'invalid'],
})

/** Lets a failed file be processed again. Requires a validation. `conflict`: it has not failed, or is tried already. */
export const retryMediaByStaff = endpoint({
  name: 'retryMediaByStaff',
  method: 'POST',
  path: '/admin/machine/media/:media_id/retry',
  audience: 'staff:machine',
  summary: '処理できなかったファイルを、もう一度処理します',
  params: v.object({ media_id: id }),
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict'],
})

export const machineEndpoints = [
  getMachine,
  listFailedJobs,
  retryFailedJobs,
  dropFailedJobs,
  listFailedMedia,
  retryMediaByStaff,
] as const
