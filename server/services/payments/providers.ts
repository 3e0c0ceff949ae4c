// The open payment providers: that of new payments, and those that rows remember.
import { type PaymentProvider, practiceNames } from '#server/adapters/payments/provider.ts'

export interface PaymentProviders {
  /** The provider of new payments; undefined while selling is off. */
  readonly current: PaymentProvider | undefined
  readonly all: readonly PaymentProvider[]
  /** The provider that a row remembers; undefined when it is not open any more. */
  of(name: string): PaymentProvider | undefined
}

/** @param earlier those that took payments before, whose notices still arrive */
export function providersOf(
  current: PaymentProvider | undefined,
  earlier: readonly PaymentProvider[] = [],
): PaymentProviders {
  const all = [...(current ? [current] : []), ...earlier]
  return { current, all, of: (name) => all.find((it) => it.name === name) }
}

export { practiceNames } from '#server/adapters/payments/provider.ts'

type PracticeName = (typeof practiceNames)[number]

/** Whether a provider is for practice, so that no money moves. */
export const isPractice = (name: string): name is PracticeName => practiceNames.some((it) => it === name)

/** The provider of a payment; a version that stored none had only the one of new payments. */
export const providerOfPayment = (
  providers: PaymentProviders,
  { provider }: { readonly provider: string | null },
): PaymentProvider | undefined => (provider === null ? providers.current : providers.of(provider))

/**
 * The end of the address of a provider's notices, after its secret part. One provider has the address without a name, which
 * panels of providers have stored.
 */
export function noticeEnd({ all }: PaymentProviders, { name }: Pick<PaymentProvider, 'name'>): string {
  return all.find((it) => !it.hasOwnAddress)?.name === name ? '' : `/${name}`
}
