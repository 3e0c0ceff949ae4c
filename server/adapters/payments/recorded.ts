// Remembers the last call of a payment provider that failed.
import type { PaymentProvider } from './provider.ts'

export interface FailedCall {
  /** Name of the function. */
  readonly call: string
  readonly error: unknown
  /** ms since 1970. */
  readonly at: number
}

export interface LastCall {
  /** The last call, if it failed; a later one that succeeds ends it. */
  failed(): FailedCall | undefined
}

/** @returns the same provider, and what became of its last call */
export function recordCalls(
  provider: PaymentProvider,
  clock: () => number,
): { readonly provider: PaymentProvider; readonly calls: LastCall } {
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
  const { begin, stop, resume, changeAmount, refund, list } = provider
  const calls = {
    begin: recorded('begin', begin),
    ...(stop && { stop: recorded('stop', stop) }),
    ...(resume && { resume: recorded('resume', resume) }),
    ...(changeAmount && { changeAmount: recorded('changeAmount', changeAmount) }),
    ...(refund && { refund: recorded('refund', refund) }),
    ...(list && { list: recorded('list', list) }),
  }
  return { provider: { ...provider, ...calls }, calls: { failed: () => failed } }
}
