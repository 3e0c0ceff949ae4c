// Opens the payment providers that the settings name.
import { newId } from '#contract/ids.ts'
import { createHostedSandbox } from '#server/adapters/payments/hosted-sandbox/hosted-sandbox.ts'
import { createLinkForm, type LinkForm } from '#server/adapters/payments/link-form.ts'
import type { PaymentProvider, PaymentRequest, ProviderName } from '#server/adapters/payments/provider.ts'
import { createSandbox, type SandboxCalls } from '#server/adapters/payments/sandbox.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import {
  addSandboxCharge,
  findOpenCharge,
  listSandboxCharges,
  listSandboxRecurring,
  returnSandboxCharge,
  type SandboxName,
  setSandboxRecurring,
} from '#server/store/payments/sandbox.ts'
import { webhookSecretsOf } from './identifiers.ts'

interface ProviderSettings extends LinkForm {
  readonly provider: ProviderName | 'off'
  /** Providers that took payments before, whose notices still arrive. */
  readonly earlierProviders: readonly ProviderName[]
}

interface Ports {
  readonly db: Db
  readonly secrets: Secrets
  /** ms since 1970 */
  readonly clock: () => number
}

/** @returns the provider of new payments, undefined while selling is off, and the earlier ones */
export function openPaymentProviders(
  settings: ProviderSettings,
  ports: Ports,
): { readonly current: PaymentProvider | undefined; readonly earlier: readonly PaymentProvider[] } {
  const { provider, earlierProviders } = settings
  return {
    current: provider === 'off' ? undefined : openProvider(provider, settings, ports),
    earlier: earlierProviders.filter((it) => it !== provider).map((it) => openProvider(it, settings, ports)),
  }
}

function openProvider(name: ProviderName, settings: ProviderSettings, ports: Ports): PaymentProvider {
  const { db, secrets } = ports
  switch (name) {
    case 'link-form':
      return createLinkForm(settings)
    case 'sandbox':
      return createSandbox(settings, sandboxCalls(db, 'sandbox'))
    case 'hosted-sandbox': {
      const shop = { storeId: settings.storeId, webhookSecrets: webhookSecretsOf(secrets) }
      const openPage = (payment: PaymentRequest, storeId: string) => openHostedPage(ports, payment, storeId)
      return createHostedSandbox(shop, { ...sandboxCalls(db, name), openPage })
    }
    default:
      return name satisfies never
  }
}

/** The open page of a payment at the hosted sandbox, or a new one. @returns its number */
async function openHostedPage(
  { db, clock }: Ports,
  { id: paymentId, amount, ...asked }: PaymentRequest,
  storeId: string,
): Promise<string> {
  const open = await findOpenCharge(db, paymentId)
  if (open?.provider === 'hosted-sandbox') return open.chargeRef
  const charge = {
    chargeRef: newId(),
    provider: 'hosted-sandbox',
    fields: {
      payment: paymentId,
      session: asked.sessionId,
      auth: asked.authId,
      shop: storeId,
      item: asked.itemName,
      day: String(asked.chargeDay ?? ''),
      ...(asked.registersOnly && { monthly: String(amount) }),
    },
    paymentId,
    amount: asked.registersOnly ? 0 : amount,
    state: 'open',
    createdAt: new Date(clock()),
    chargedAt: null,
    recurringRef: null,
    refunded: 0,
  } as const
  await addSandboxCharge(db, charge)
  return charge.chargeRef
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
      recurring: recurring.map(({ recurringRef, paymentId, amount, state, cardExpires }) => ({
        recurringRef,
        paymentId,
        amount,
        isRunning: state === 'running',
        ...(cardExpires !== null && { cardExpires }),
      })),
    }
  },
  refund: (chargeRef, returned) => returnSandboxCharge(db, chargeRef, returned),
  stop: (recurringRef) => setSandboxRecurring(db, recurringRef, { state: 'stopped' }),
  resume: (recurringRef, amount) =>
    setSandboxRecurring(db, recurringRef, { state: 'running', amount, failures: 0 }),
  changeAmount: (recurringRef, amount) => setSandboxRecurring(db, recurringRef, { amount }),
})
