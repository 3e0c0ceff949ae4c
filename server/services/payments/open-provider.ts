// Opens the payment provider that the settings name.
import { createLinkForm } from '#server/adapters/payments/link-form.ts'
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'
import { createSandbox } from '#server/adapters/payments/sandbox.ts'
import type { Db } from '#server/store/database.ts'
import { listSandboxCharges, moveSandboxCharge } from '#server/store/payments/sandbox.ts'

interface ProviderSettings {
  readonly provider: 'sandbox' | 'link-form' | 'off'
  readonly url: string
  readonly storeId: string
  readonly sendsCod: boolean
}

/** @returns undefined while selling is off */
export function openPaymentProvider(settings: ProviderSettings, db: Db): PaymentProvider | undefined {
  switch (settings.provider) {
    case 'off':
      return undefined
    case 'link-form':
      return createLinkForm(settings)
    case 'sandbox':
      return createSandbox(settings, {
        async list() {
          const charges = await listSandboxCharges(db)
          return charges.map(({ gid, paymentId, amount, state }) => ({
            gid,
            paymentId,
            amount,
            isRefunded: state === 'refunded',
          }))
        },
        refund: async (gid) => void (await moveSandboxCharge(db, gid, 'paid', 'refunded')),
      })
    default:
      return settings.provider satisfies never
  }
}
