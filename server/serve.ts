// The running server: opens its dependencies, listens, and stops after a signal.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { FoundSandbox } from './adapters/media/sandbox/finder.ts'
import { buildApp } from './app.ts'
import type { Deps } from './deps.ts'
import { openDeps } from './open-deps.ts'
import { type Env, EnvError, readEnv } from './env/env.ts'
import { applyAdmins } from './modules/administration/roles.ts'
import { demoAccounts } from './modules/demo/people.ts'
import { seedDemo } from './modules/demo/seed.ts'
import { startPublishing } from './modules/machine/figures.ts'
import { listenForScrapes } from './modules/metrics/listener.ts'
import { anchorOf } from './rules/audit/chain.ts'
import { isPractice, practiceNames } from './services/payments/providers.ts'
import { listReservedHolders } from './services/people/reserved-names.ts'
import { listProvidersInUse } from './store/payments/providers-in-use.ts'
import { countPaidBy } from './store/payments/charges.ts'
import { lastEntry } from './store/audit/chain.ts'
import { startSentence, UNFORESEEN } from './start-errors.ts'
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

/** How often the state of the mail relay is read, ms, also without scrapes. */
const RELAY_EVERY = 15_000

const relayFails = {
  refused: 'the mail relay refuses this server, and emails wait: see the user and the password of SMTP_URL',
  unreachable:
    'the mail relay cannot be reached, and emails wait: see the address of SMTP_URL and the network',
} as const

/** Logs whether the mail relay accepts this server, now and after each change. */
function logMailRelay({ mailRelay, every }: Deps, log: Pick<FastifyBaseLogger, 'error' | 'info'>): void {
  if (!mailRelay) return
  mailRelay.onChange(({ state: mail, reason }) => {
    if (mail === 'refused' || mail === 'unreachable') log.error({ mail, reason }, relayFails[mail])
    else log.info({ mail }, 'the mail relay accepts this server')
  })
  const ask = async () => void (await mailRelay.find())
  void ask()
  every(RELAY_EVERY, ask)
}

/** A practice provider takes no money, so that everything on sale would be free; one that is gone can neither return nor stop it. */
async function logProviders(
  { paymentProviders, db, settings, clock }: Deps,
  env: Env,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  const { current } = paymentProviders
  const inUse = await listProvidersInUse(db, clock()).catch(() => [])
  const gone = inUse.filter((it) => !paymentProviders.of(it))
  if (gone.length > 0)
    log.error(
      { gone },
      'payment providers with members or open payments are not configured: refunds and stops become tasks',
    )
  if (env.NODE_ENV === 'production' && current && isPractice(current.name))
    log.error(`PAYMENT_PROVIDER=${current.name}: payments are for practice, and no money moves`)
  if (!settings.payments.isReal) return
  const payments = await countPaidBy(db, practiceNames).catch(() => 0)
  if (payments > 0)
    log.error(
      { payments },
      'payments by a practice provider are not refunded: payouts of their creators are stopped',
    )
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

/** Logs what keeps a started server from its work, and does not end it: the build, and the place of objects. */
async function warnOfParts(
  { settings, storage }: Deps,
  env: Env,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): Promise<void> {
  // Elsewhere Vite serves the app.
  const servesApp = env.ROLE !== 'worker' && env.NODE_ENV === 'production'
  if (servesApp && !existsSync(path.join(settings.dist, 'index.html')))
    log.warn({ dist: settings.dist }, 'the app is not built, and its pages are answered 503: npm run build')
  await storage.objects.probe().catch((error: unknown) => {
    log.error({ err: error, sentence: startSentence(error, env) }, 'stored objects cannot be read')
  })
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
  await logProviders(deps, env, log)
  logMailRelay(deps, log)
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
  void warnOfParts(deps, env, app.log)
  if (isWeb) void warnOfReservedNames(deps, app.log)
}

/** Runs the server of the environment variables. Ends the process with a message when it cannot start. */
export async function serve(): Promise<void> {
  // All files in the data folder are readable only by this user.
  process.umask(0o077)
  const env = envOrExit()
  await listen(env).catch((error: unknown) => {
    const sentence = startSentence(error, env)
    console.error(sentence ?? UNFORESEEN)
    if (sentence === undefined) console.error(error)
    process.exit(1)
  })
}
