// The running server: opens its dependencies, listens, and stops after a signal.
import type { FastifyBaseLogger } from 'fastify'
import { KeysDiffer, KeysMissing } from './services/keys/equal-keys.ts'
import { WrongMasterKey } from './services/keys/retained.ts'
import { FolderInUse } from './adapters/database/folder-in-use.ts'
import { SchemaNewer } from './adapters/database/migrate.ts'
import { SessionsShared } from './adapters/database/own-session.ts'
import { PlacesUnreadable } from './adapters/geoip.ts'
import type { FoundSandbox } from './adapters/media/sandbox/finder.ts'
import { buildApp } from './app.ts'
import type { Deps } from './deps.ts'
import { openDeps } from './open-deps.ts'
import { type Env, EnvError, readEnv } from './env/env.ts'
import { applyAdmins } from './modules/administration/roles.ts'
import { demoAccounts } from './modules/demo/people.ts'
import { seedDemo } from './modules/demo/seed.ts'
import { startPublishing } from './modules/machine/figures.ts'
import { listenForScrapes, MetricsPortInUse } from './modules/metrics/listener.ts'
import { anchorOf } from './rules/audit/chain.ts'
import { listReservedHolders } from './services/people/reserved-names.ts'
import { UnfinishedCopy } from './store/anonymise/copy-mark.ts'
import { UnfinishedRestore } from './store/backup/restore-mark.ts'
import { lastEntry } from './store/audit/chain.ts'
import { stopAfterSignal } from './stop.ts'
import { startWorker } from './worker.ts'
import { buildWorkerApp } from './worker-app.ts'

function envOrExit(): Env {
  try {
    return readEnv(process.env)
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    for (const sentence of error.sentences) console.error(sentence)
    process.exit(2)
  }
}

/** Replaces a loopback address by `localhost`, since links in emails and passkeys need one origin. */
const withLocalhost = (address: string) => address.replace('//127.0.0.1:', '//localhost:')

function printAddresses(env: Env, listening: string): void {
  const address = withLocalhost(listening)
  if (env.ROLE === 'worker')
    return console.log(`\nとどけのワーカーを開始しました。\n  確認        ${address}/api/health/ready\n`)
  const { creator, fan, admin, password } = demoAccounts
  const demo = env.SEED_DEMO
    ? `\n  見本の人     クリエイター ${creator} ／ ファン ${fan} ／ 運営 ${admin}（パスワードはどれも ${password}）`
    : ''
  const mail = env.SMTP_URL === '' ? `\n  届くメール  ${address}/dev/mail` : ''
  const docs = env.API_DOCS ? `\n  API の説明  ${address}/api/docs` : ''
  console.log(`\nとどけを開始しました。\n  アプリ      ${env.PUBLIC_URL ?? address}${docs}${mail}${demo}\n`)
}

/** Logs whether a sandbox works, now and after each change. */
function logSandbox(
  { mediaSandbox, refusesUnconfined }: Deps,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): void {
  const without = refusesUnconfined ? 'pictures and videos are refused' : 'media are decoded without one'
  const tell = ({ state, reason }: FoundSandbox) => {
    const it = { mediaSandbox: state, ...(reason !== '' && { reason }) }
    if (state === 'bubblewrap') log.info(it, 'media are decoded in a sandbox')
    else if (state === 'none') log.warn(it, `no sandbox works here (bubblewrap): ${without}`)
    else log.warn(it, 'it is not known yet whether a sandbox works here (bubblewrap): media wait')
  }
  if (!mediaSandbox) return
  tell(mediaSandbox.found())
  mediaSandbox.onChange(tell)
}

/** A practice provider takes no money, so that everything on sale would be free. */
function logPractice({ paymentProvider }: Deps, env: Env, log: Pick<FastifyBaseLogger, 'warn'>): void {
  if (env.NODE_ENV === 'production' && paymentProvider?.name === 'sandbox')
    log.warn('PAYMENT_PROVIDER=sandbox: payments are for practice, and no money moves')
}

/** The message about an error that the operator can fix; undefined for other errors. */
function operatorMessage(error: unknown, env: Env): string | undefined {
  const ofKeys = [WrongMasterKey, KeysDiffer, KeysMissing]
  const unfinished = [UnfinishedCopy, UnfinishedRestore]
  const known = [
    FolderInUse,
    MetricsPortInUse,
    PlacesUnreadable,
    SchemaNewer,
    SessionsShared,
    ...unfinished,
    ...ofKeys,
  ]
  if (error instanceof Error && known.some((it) => error instanceof it)) return error.message
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `ポート ${env.PORT} はすでに使われています。環境変数 PORT で別の番号にしてください。`
    case 'EACCES':
    case 'EROFS':
      return `データフォルダー ${env.DATA_DIR} に書き込めないか、ポート ${env.PORT} を開けません。`
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case '28P01':
    case '3D000':
      return 'データベースに接続できません。環境変数 DATABASE_URL を確認してください。'
    default:
      return undefined
  }
}

/** Logs members with reserved names; the operator decides about them (decision 046). */
async function warnOfReservedNames(
  { db }: Deps,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): Promise<void> {
  try {
    const { people } = await listReservedHolders(db, undefined, Number.POSITIVE_INFINITY)
    if (people.length > 0)
      log.warn({ people: people.length }, 'members have reserved names: see GET /api/admin/reserved-names')
  } catch (error) {
    log.error({ err: error }, 'the list of reserved names was not read')
  }
}

/** Logs the end of the audit log, so that the log of each start has an anchor outside the database (decision 083). */
async function logAuditHead({ db }: Deps, log: Pick<FastifyBaseLogger, 'info'>): Promise<void> {
  const head = await lastEntry(db)
  if (head) log.info({ anchor: anchorOf(head) }, 'the audit log ends here')
}

/** Makes the demo people and the admins that the environment names. */
async function preparePeople(deps: Deps, env: Env, log: Pick<FastifyBaseLogger, 'info'>): Promise<void> {
  if (env.SEED_DEMO && (await seedDemo(deps))) log.info('demo people and posts made')
  const admins = [...env.ADMIN_EMAILS, ...(env.SEED_DEMO ? [demoAccounts.admin] : [])]
  if ((await applyAdmins(deps, admins)) > 0) log.info('admins set as ADMIN_EMAILS says')
}

const databaseBroken = {
  moved: 'another PostgreSQL is behind the address: all connections to the former one were broken',
  silent: 'PostgreSQL replies on no connection: all were broken',
} as const

async function listen(env: Env): Promise<void> {
  let log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'> = console
  const deps = await openDeps(env, {
    failed: (error) => log.error({ err: error }, 'a job failed'),
    database: (why) => log.error({ why }, databaseBroken[why]),
    redis: (isConnected, why) =>
      isConnected
        ? log.info('Redis is back: limits are shared again')
        : log.warn({ err: why }, 'Redis does not answer: each server counts limits for itself'),
    realtime: (isConnected, why) =>
      isConnected
        ? log.info('live messages reach all servers again')
        : log.warn({ err: why }, 'live messages reach this server alone: what carries them does not answer'),
    traces: (why) => log.warn({ err: why }, 'spans did not reach the collector of traces, and are lost'),
  })
  const isWeb = env.ROLE !== 'worker'
  const app = isWeb ? await buildApp(deps) : buildWorkerApp(deps)
  log = app.log
  logSandbox(deps, log)
  logPractice(deps, env, log)
  if (isWeb) await preparePeople(deps, env, log)
  await logAuditHead(deps, log)
  if (env.ROLE !== 'web')
    await startWorker(deps, (error) => app.log.error({ err: error }, 'work in the background failed'))
  await listenForScrapes(app, deps, { port: env.METRICS_PORT, host: env.METRICS_HOST })
  // Before it is ready, so that the health of the others knows a worker that is.
  const endPublishing = await startPublishing(deps, (error) =>
    app.log.error({ err: error }, 'figures were not published'),
  )
  const address = await app.listen({ port: env.PORT, host: env.HOST })
  const stopped = stopAfterSignal(app, deps, env.DRAIN_SECONDS * 1000, endPublishing)
  void stopped.then(() => process.exit(0))
  // Printed last: a signal that follows the addresses stops the server in order.
  printAddresses(env, address)
  if (isWeb) void warnOfReservedNames(deps, app.log)
}

/** Runs the server of the environment variables. Ends the process with a message when it cannot start. */
export async function serve(): Promise<void> {
  // All files in the data folder are readable only by this user.
  process.umask(0o077)
  const env = envOrExit()
  await listen(env).catch((error: unknown) => {
    console.error(operatorMessage(error, env) ?? error)
    process.exit(1)
  })
}
