// Serves what is built: opens the database and the data folder, listens, and stops in order.
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Deps, openDeps } from './deps.ts'
import { type Env, EnvError, readEnv } from './env.ts'
import { demoAccounts } from './modules/demo/people.ts'
import { seedDemo } from './modules/demo/seed.ts'
import { startWorker, type Worker } from './worker.ts'

/** In-flight requests have this long to end before their connections are cut, ms. */
const GRACE = 6000
/** After this the process ends whatever happens, ms. */
const LAST_RESORT = 9500

function envOrExit(): Env {
  try {
    return readEnv(process.env)
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    for (const sentence of error.sentences) console.error(sentence)
    process.exit(2)
  }
}

function greet(env: Env, address: string): void {
  const { creator, fan, password } = demoAccounts
  const demo = env.SEED_DEMO
    ? `\n  見本の人     クリエイター ${creator} ／ ファン ${fan}（パスワードはどちらも ${password}）`
    : ''
  console.log(
    `\nとどけを開始しました。\n  アプリ      ${env.PUBLIC_URL ?? address}\n  API の説明  ${address}/api/docs${demo}\n`,
  )
}

async function stop(app: FastifyInstance, deps: Deps, worker: Worker): Promise<void> {
  deps.draining.now = true
  setTimeout(() => process.exit(1), LAST_RESORT).unref()
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE)
  worker.stop()
  await app.close()
  clearTimeout(cut)
  await deps.close()
}

async function main(): Promise<void> {
  const env = envOrExit()
  const deps = await openDeps(env, (error) => console.error(error))
  const app = await buildApp(deps)
  if (env.SEED_DEMO && (await seedDemo(deps))) app.log.info('demo people and posts made')
  const worker = await startWorker(deps, (error) => app.log.error({ err: error }, 'clearing up failed'))
  const address = await app.listen({ port: env.PORT, host: env.HOST })
  greet(env, address)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop(app, deps, worker).then(() => process.exit(0)))
  }
}

await main()
