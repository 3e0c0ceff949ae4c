// Opens the dependencies that the environment configures.
import { createPlaces, noPlaces } from './adapters/geoip.ts'
import { openMailer } from './adapters/mail/relay.ts'
import { createSandboxFinder } from './adapters/media/sandbox/finder.ts'
import { openPush } from './adapters/push/push.ts'
import { stateOf } from './adapters/redis.ts'
import { openShared } from './adapters/shared.ts'
import { assemble, type Deps } from './deps.ts'
import type { Env } from './env/env.ts'
import { senderOf } from './env/mail.ts'
import { refusesUnconfinedOf } from './env/media.ts'
import { pushSubjectOf, vapidOf } from './env/push.ts'
import { openRealtime } from './env/realtime.ts'
import { s3Of } from './env/s3.ts'
import { openTraces } from './env/traces.ts'
import { openMetrics } from './env/watch.ts'
import { openDatabase } from './open-database.ts'
import { openVapid } from './services/keys/open-keys.ts'
import { beginAudit } from './services/transaction/begin-audit.ts'
import { settingsOf } from './settings.ts'

/** Callbacks that report problems to the operator. */
interface Reporters {
  /** Called when a job failed. */
  readonly failed: (error: Error) => void
  /** Called after connections to PostgreSQL were broken. */
  readonly database?: Parameters<typeof openDatabase>[1]
  readonly redis: (isConnected: boolean, why?: unknown) => void
  /** Called when the Redis between servers, or the service of live connections, is lost or back. */
  readonly realtime: (isConnected: boolean, why?: unknown) => void
  /** Called when spans did not reach the collector of traces. */
  readonly traces?: (why: unknown) => void
}

/**
 * Opens all dependencies that the environment configures.
 * @param open opens the database; another way only while one is restored
 * @throws KeysDiffer when other servers have other keys
 * @throws KeysMissing when other servers have keys, and this one has none
 */
export async function openDeps(
  env: Env,
  report: Reporters,
  open: typeof openDatabase = openDatabase,
): Promise<Deps> {
  const mediaSandbox = createSandboxFinder({ acceptsRisk: env.MEDIA_DECODERS_UNCONFINED === 'accept-risk' })
  const makesMedia = env.ROLE !== 'web'
  // Started early: the test of the sandbox takes as long as opening the database.
  if (makesMedia) void mediaSandbox.find()
  const { database, unlock } = await open(env, report.database)
  const settings = settingsOf(env)
  const places = env.GEOIP_DB === '' ? noPlaces : await createPlaces(env.GEOIP_DB)
  const mailer = env.SMTP_URL === '' ? undefined : openMailer(env.SMTP_URL, senderOf(env))
  const push = openPush({
    keys: await openVapid(database.db, env.DATA_DIR, vapidOf(env)),
    subject: pushSubjectOf(env, settings.publicUrl),
    trusted: env.PUSH_STAND_IN,
  })
  const shared = await openShared(env.REDIS_URL, report.redis)
  const deps = await assemble({
    settings,
    database,
    dataDir: env.DATA_DIR,
    masterKeys: { present: env.SECRET_KEY, others: env.SECRET_KEY_OTHERS },
    places,
    mailer,
    push,
    onError: report.failed,
    mediaSandbox,
    makesMedia,
    jobLeaseSeconds: env.JOB_LEASE_SECONDS,
    refusesUnconfined: refusesUnconfinedOf(env),
    metrics: await openMetrics(env),
    traces: await openTraces(env, report.traces ?? (() => undefined)),
    s3: s3Of(env),
    objectsFrom: env.OBJECTS_FROM === '' ? undefined : env.OBJECTS_FROM,
    ...(shared && { counts: shared.counts, uploadLocks: shared.uploadLocks }),
    redis: shared && stateOf(shared.redis),
    realtime: (secrets) => openRealtime(env, secrets, shared, report.realtime),
  })
  // Before the first entry of this server.
  await beginAudit({ ...deps, mac: (text) => deps.secrets.mac('audit', text) })
  return {
    ...deps,
    async close() {
      await deps.close()
      shared?.close()
      await unlock()
    },
  }
}
