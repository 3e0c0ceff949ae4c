// Opens the payment provider that the settings name.
import { createLinkForm } from '#server/adapters/payments/link-form.ts'
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'
import { createSandbox, type SandboxCharges } from '#server/adapters/payments/sandbox.ts'
import type { Db } from '#server/store/database.ts'
import {
  listSandboxCharges,
  listSandboxRecurring,
  returnSandboxCharge,
  setSandboxRecurring,
} from '#server/store/payments/sandbox.ts'

interface ProviderSettings {
  readonly provider: 'sandbox' | 'link-form' | 'off'
  readonly url: string
  readonly storeId: string
  readonly sendsCod: boolean
  readonly planJob: string
}

/** @returns undefined while selling is off */
export function openPaymentProvider(settings: ProviderSettings, db: Db): PaymentProvider | undefined {
  switch (settings.provider) {
    case 'off':
      return undefined
    case 'link-form':
      return createLinkForm(settings)
    case 'sandbox':
      return createSandbox(settings, sandboxCharges(db))
    default:
      return settings.provider satisfies never
  }
}

const sandboxCharges = (db: Db): SandboxCharges => ({
  async list() {
    const [charges, recurring] = [await listSandboxCharges(db), await listSandboxRecurring(db)]
    return {
      charges: charges.map(({ gid, paymentId, amount, refunded, acid, chargedAt, createdAt }) => ({
        gid,
        paymentId,
        amount,
        refunded,
        acid: acid ?? '',
        chargedAt: chargedAt ?? createdAt,
      })),
      recurring: recurring.map(({ acid, paymentId, amount, state }) => ({
        acid,
        paymentId,
        amount,
        isRunning: state === 'running',
      })),
    }
  },
  refund: (gid, returned) => returnSandboxCharge(db, gid, returned),
  stop: (acid) => setSandboxRecurring(db, acid, { state: 'stopped' }),
  resume: (acid, amount) => setSandboxRecurring(db, acid, { state: 'running', amount, failures: 0 }),
  changeAmount: (acid, amount) => setSandboxRecurring(db, acid, { amount }),
})
