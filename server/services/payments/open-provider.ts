// Opens the payment providers that the settings name.
import { createLinkForm, type LinkForm } from '#server/adapters/payments/link-form.ts'
import type { PaymentProvider, ProviderName } from '#server/adapters/payments/provider.ts'
import { createSandbox, type SandboxCalls } from '#server/adapters/payments/sandbox.ts'
import type { Db } from '#server/store/database.ts'
import {
  listSandboxCharges,
  listSandboxRecurring,
  returnSandboxCharge,
  type SandboxName,
  setSandboxRecurring,
} from '#server/store/payments/sandbox.ts'

interface ProviderSettings extends LinkForm {
  readonly provider: ProviderName | 'off'
  /** Providers that took payments before, whose notices still arrive. */
  readonly earlierProviders: readonly ProviderName[]
}

/** @returns the provider of new payments, undefined while selling is off, and the earlier ones */
export function openPaymentProviders(
  settings: ProviderSettings,
  db: Db,
): { readonly current: PaymentProvider | undefined; readonly earlier: readonly PaymentProvider[] } {
  const { provider, earlierProviders } = settings
  return {
    current: provider === 'off' ? undefined : openProvider(provider, settings, db),
    earlier: earlierProviders.filter((it) => it !== provider).map((it) => openProvider(it, settings, db)),
  }
}

function openProvider(name: ProviderName, settings: ProviderSettings, db: Db): PaymentProvider {
  switch (name) {
    case 'link-form':
      return createLinkForm(settings)
    case 'sandbox':
      return createSandbox(settings, sandboxCalls(db, 'sandbox'))
    default:
      return name satisfies never
  }
}

const sandboxCalls = (db: Db, name: SandboxName): SandboxCalls => ({
  async list() {
    const [charges, recurring] = [await listSandboxCharges(db, name), await listSandboxRecurring(db, name)]
    return {
      charges: charges.map(({ chargedAt, createdAt, recurringRef, ...charge }) => ({
        chargeRef: charge.chargeRef,
        paymentId: charge.paymentId,
        amount: charge.amount,
        refunded: charge.refunded,
        recurringRef: recurringRef ?? '',
        chargedAt: chargedAt ?? createdAt,
      })),
      recurring: recurring.map(({ recurringRef, paymentId, amount, state }) => ({
        recurringRef,
        paymentId,
        amount,
        isRunning: state === 'running',
      })),
    }
  },
  refund: (chargeRef, returned) => returnSandboxCharge(db, chargeRef, returned),
  stop: (recurringRef) => setSandboxRecurring(db, recurringRef, { state: 'stopped' }),
  resume: (recurringRef, amount) =>
    setSandboxRecurring(db, recurringRef, { state: 'running', amount, failures: 0 }),
  changeAmount: (recurringRef, amount) => setSandboxRecurring(db, recurringRef, { amount }),
})
