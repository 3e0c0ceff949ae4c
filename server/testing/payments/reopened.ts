// A second server on the same database, with other settings of payments.
import { buildApp } from '#server/app.ts'
import type { PaymentSettings } from '#server/env/payments.ts'
import { providersOf } from '#server/services/payments/providers.ts'
import { openWorld, type World } from '#server/testing/world.ts'

/**
 * @param payments the settings of the second server
 * @param keeps whether the providers of the first one are configured still
 */
export async function reopened(before: World, payments: PaymentSettings, keeps: boolean): Promise<World> {
  const { deps: first } = before
  const settings = { ...first.settings, payments }
  if (keeps) return withDeps(before, { ...first, settings })
  const other = await openWorld({ settings: { payments } })
  const paymentProviders = providersOf(other.deps.paymentProviders.current)
  await other.close()
  return withDeps(before, { ...first, settings, paymentProviders })
}

const withDeps = async (before: World, deps: World['deps']): Promise<World> => ({
  ...before,
  deps,
  app: await buildApp(deps),
})
