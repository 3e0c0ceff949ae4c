// Settings of the modules, from the environment.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperatorView } from '#contract/operator.ts'
import type { Env } from './env/env.ts'
import { type HelpSettings, helpSettingsOf, messageLimitsOf, withoutLimits } from './env/help.ts'
import { operatorOf } from './env/operator.ts'
import { type PaymentSettings, paymentSettingsOf } from './env/payments.ts'
import { type PayoutSettings, payoutSettingsOf } from './env/payouts.ts'
import type { TrustProxy } from './http/client-address.ts'
import { type Limits, noLimits, usualLimits } from './http/limits.ts'
import { type TimeLimits, usualTimes } from './http/time-limits.ts'
import type { UploadLimits } from './services/uploads/quota.ts'

export interface Settings {
  /** Folder of the built app. */
  readonly dist: string
  /** Folder for hashed files of earlier builds; '' for none. */
  readonly earlierAssets: string
  /** Other origins whose pages may read replies. */
  readonly corsOrigins: readonly string[]
  /** Addresses of the operator's admins. */
  readonly adminEmails?: readonly string[]
  /** Other origins whose pages may change something. */
  readonly origins: readonly string[]
  /** Proxies in front of this server that are trusted for the address and host of a request. */
  readonly trustProxy: TrustProxy
  readonly https: boolean
  /** Public address of the app, without a slash at the end. */
  readonly publicUrl: string
  readonly limits: Limits
  /** Automatic limits and holds (decision 091). */
  readonly help: HelpSettings
  readonly uploadsPerPerson: UploadLimits
  /** People of one batch of a notice, which is one transaction. */
  readonly noticeBatch: number
  /** Path of the proxy's internal locations of stored objects, such as `/stored`; '' when this server sends them. */
  readonly accelPrefix: string
  /** Whether the proxy reads objects of an S3 store itself, by requests that this server signs; by default not. */
  readonly accelStore?: boolean
  /** Free bytes of the disk below which uploads are refused. */
  readonly minFreeDisk: number
  /** How long backups are retained, days; by default 0: there are none, and objects are removed at once. */
  readonly backupDays?: number
  /** Without payments, which have settings of their own. */
  readonly operator: Omit<OperatorView, 'payments'>
  readonly payments: PaymentSettings
  readonly payouts: PayoutSettings
  readonly timeLimits: TimeLimits
  /** Whether `/api/docs` and `/api/openapi.json` are served. */
  readonly apiDocs: boolean
  /** Token of `/metrics` on the port of the app; '' for none, and no such path. */
  readonly metricsToken: string
  /** Whether the proxy of `trustProxy` says of which trace a request is part. */
  readonly tracesFromProxy?: boolean
  /** Lateness of the event loop above which requests are refused, ms; 0: none is. */
  readonly overloadDelay: number
  readonly logLevel: string
  readonly prettyLogs: boolean
  /** Destination of the log in tests, instead of the standard output. */
  readonly logTo?: { write(line: string): void }
}

/** @param env the parsed environment */
export function settingsOf(env: Env): Settings {
  return {
    dist: fileURLToPath(new URL('../dist', import.meta.url)),
    earlierAssets: path.join(env.DATA_DIR, 'assets'),
    corsOrigins: env.CORS_ORIGINS,
    adminEmails: env.ADMIN_EMAILS,
    origins: [...env.CORS_ORIGINS, ...(env.PUBLIC_URL ? [env.PUBLIC_URL] : [])],
    trustProxy: env.TRUST_PROXY,
    https: env.PUBLIC_URL?.startsWith('https:') ?? false,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    limits: env.RATE_LIMITS ? { ...usualLimits, ...messageLimitsOf(env) } : noLimits,
    help: env.RATE_LIMITS ? helpSettingsOf(env) : withoutLimits(helpSettingsOf(env)),
    uploadsPerPerson: {
      count: env.UPLOADS_PER_PERSON,
      bytes: env.UPLOAD_BYTES_PER_PERSON,
      stored: env.STORED_BYTES_PER_PERSON,
    },
    noticeBatch: env.NOTICE_BATCH_SIZE,
    accelPrefix: env.X_ACCEL_PREFIX,
    accelStore: env.X_ACCEL_STORE,
    minFreeDisk: env.MIN_FREE_DISK_BYTES,
    backupDays: env.BACKUP_DAYS,
    operator: operatorOf(env),
    payments: paymentSettingsOf(env),
    payouts: payoutSettingsOf(env),
    timeLimits: usualTimes,
    apiDocs: env.API_DOCS,
    metricsToken: env.METRICS_TOKEN,
    tracesFromProxy: env.TRACES_FROM_PROXY,
    overloadDelay: env.OVERLOAD_DELAY_MS,
    logLevel: env.LOG_LEVEL,
    prettyLogs: env.NODE_ENV === 'development' && process.stdout.isTTY,
  }
}
