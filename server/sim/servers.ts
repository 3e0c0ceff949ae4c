// Two servers on one database: a steady one, and one that can be killed.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { secretsFrom } from '#server/adapters/secrets.ts'
import { buildApp } from '#server/app.ts'
import { assemble } from '#server/deps.ts'
import { webhookSecretsOf } from '#server/services/payments/identifiers.ts'
import { type DatabaseKind, openWorld, type World } from '#server/testing/world.ts'
import { type Crashes, createCrashes } from './crashes.ts'
import { createProvider, type SimulatedProvider } from './provider.ts'

export interface Servers {
  readonly steady: World
  /** A second process on the same database, which can be killed. */
  readonly fragile: World
  readonly crashes: Crashes
  readonly provider: SimulatedProvider
  close(): Promise<void>
}

export async function openServers(database: DatabaseKind): Promise<Servers> {
  const master = randomBytes(32)
  const provider = createProvider(webhookSecretsOf(secretsFrom(master)))
  const shared = {
    masterKeys: { present: master.toString('base64') },
    paymentProvider: provider.port,
  }
  const steady = await openWorld({ database, parts: shared })
  const crashes = createCrashes(steady.database)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-sim-'))
  const { settings, clock, passwords } = steady.deps
  const deps = await assemble({
    ...shared,
    settings,
    clock,
    passwords,
    dataDir,
    database: crashes.database,
  })
  const app = await buildApp(deps)
  await app.ready()
  crashes.restart()
  for (const it of [steady.deps, deps]) provider.rename(it.paymentProviders.current)
  return {
    steady,
    fragile: { ...steady, app, deps, database: crashes.database },
    crashes,
    provider,
    async close() {
      await app.close()
      await deps.close()
      await steady.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
