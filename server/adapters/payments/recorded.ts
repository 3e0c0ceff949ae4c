// Remembers the last call of the payment provider that failed.
import type { PaymentProvider } from './provider.ts'

export interface FailedCall {
  /** Name of the function. */
  readonly call: string
  readonly error: unknown
  /** ms since 1970. */
  readonly at: number
}

export interface ProviderCalls {
  /** The last call, if it failed; a later one that succeeds ends it. */
  failed(): FailedCall | undefined
}

/** @returns the same provider, and what became of its last call */
export function recordCalls(
  provider: PaymentProvider,
  clock: () => number,
): { readonly provider: PaymentProvider; readonly calls: ProviderCalls } {
  let failed: FailedCall | undefined
  const recorded =
    <Args extends readonly unknown[], R>(call: string, work: (...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R> => {
      try {
        const result = await work(...args)
        failed = undefined
        return result
      } catch (error) {
        failed = { call, error, at: clock() }
        throw error
      }
    }
  return {
    provider: {
      ...provider,
      stop: recorded('stop', (acid) => provider.stop(acid)),
      resume: recorded('resume', (acid, amount) => provider.resume(acid, amount)),
      changeAmount: recorded('changeAmount', (acid, amount) => provider.changeAmount(acid, amount)),
      refund: recorded('refund', (gid, returned) => provider.refund(gid, returned)),
      list: recorded('list', () => provider.list()),
    },
    calls: { failed: () => failed },
  }
}
