// What the environment decides, as the modules read it.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperatorView } from '#contract/operator.ts'
import type { Env } from './env/env.ts'
import { operatorOf } from './env/operator.ts'
import type { TrustProxy } from './http/client-address.ts'
import { type Limits, noLimits, usualLimits } from './http/limits.ts'
import { type TimeLimits, usualTimes } from './http/time-limits.ts'
import type { UploadLimits } from './services/uploads/quota.ts'

export interface Settings {
  /** Folder of the built app. */
  readonly dist: string
  /** Folder where hashed files of earlier builds stay; '' for nowhere. */
  readonly keptAssets: string
  /** Other origins whose pages may read what is answered. */
  readonly corsOrigins: readonly string[]
  /** Origins beside the server's own whose pages may change something. */
  readonly origins: readonly string[]
  /** Proxies in front of this server that are trusted for the address and host of a request. */
  readonly trustProxy: TrustProxy
  readonly https: boolean
  /** Where people reach the app, without a slash at the end: links in emails begin with it. */
  readonly publicUrl: string
  readonly limits: Limits
  readonly uploadsPerPerson: UploadLimits
  /** Bytes of the disk that stay free: uploads wait while there are fewer. */
  readonly minFreeDisk: number
  readonly operator: OperatorView
  readonly timeLimits: TimeLimits
  /** Whether `/api/docs` and `/api/openapi.json` are served. */
  readonly apiDocs: boolean
  readonly logLevel: string
  readonly prettyLogs: boolean
  /** Where lines of the log go; the standard output unless a test says otherwise. */
  readonly logTo?: { write(line: string): void }
}

/** @param env the parsed environment */
export function settingsOf(env: Env): Settings {
  return {
    dist: fileURLToPath(new URL('../dist', import.meta.url)),
    keptAssets: path.join(env.DATA_DIR, 'assets'),
    corsOrigins: env.CORS_ORIGINS,
    origins: [...env.CORS_ORIGINS, ...(env.PUBLIC_URL ? [env.PUBLIC_URL] : [])],
    trustProxy: env.TRUST_PROXY,
    https: env.PUBLIC_URL?.startsWith('https:') ?? false,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    limits: env.RATE_LIMITS ? usualLimits : noLimits,
    uploadsPerPerson: {
      count: env.UPLOADS_PER_PERSON,
      bytes: env.UPLOAD_BYTES_PER_PERSON,
      stored: env.STORED_BYTES_PER_PERSON,
    },
    minFreeDisk: env.MIN_FREE_DISK_BYTES,
    operator: operatorOf(env),
    timeLimits: usualTimes,
    apiDocs: env.API_DOCS,
    logLevel: env.LOG_LEVEL,
    prettyLogs: env.NODE_ENV === 'development' && process.stdout.isTTY,
  }
}
