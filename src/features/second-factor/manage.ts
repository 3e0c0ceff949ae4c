// Query and actions of the second factor; every outcome is a value.
import {
  beginSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '#contract/accounts/second-factor.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queryFor } from '#src/domain/queries/query.ts'

/** The query of its state, for the page's loader. A validation may have used a recovery code, so it is read at each opening. */
export const secondFactorQuery = () => ({ ...queryFor(getSecondFactor, {}), staleTime: 0 })

export interface SetupKey {
  readonly secret: string
  readonly uri: string
}

export type Outcome<T> =
  | { readonly is: 'done'; readonly value: T }
  /** A validation is required first. */
  | { readonly is: 'unproven' }
  | { readonly is: 'failed'; readonly sentence: string }

export const beginSetup = (): Promise<Outcome<SetupKey>> => outcomeOf(() => call(beginSecondFactor, {}))
export const renewCodes = (): Promise<Outcome<readonly string[]>> =>
  outcomeOf(async () => (await call(renewRecoveryCodes, {})).codes)
export const turnOff = (): Promise<Outcome<unknown>> => outcomeOf(() => call(removeSecondFactor, {}))

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { is: 'done', value: await work() }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return error.code === 'validation_required'
      ? { is: 'unproven' }
      : { is: 'failed', sentence: errorText[error.code] }
  }
}
