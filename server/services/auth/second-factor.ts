// Requires a code of the second factor after a right password.
import { randomInt } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { RECOVERY_CODES } from '#contract/accounts/second-factor-code.ts'
import type { Counts } from '#server/adapters/counts.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Limits } from '#server/http/limits.ts'
import { stepOf } from './totp.ts'
import {
  findSecondFactor,
  type SecondFactor,
  takeRecoveryCode,
  takeStep,
} from '#server/store/accounts/second-factor.ts'
import type { Db } from '#server/store/database.ts'
import { createAccountFailures } from './account-failures.ts'
import { createThrottle } from './throttle.ts'

interface Ports {
  readonly db: Db
  readonly clock: () => number
  readonly counts: Counts
  readonly secrets: Secrets
  readonly settings: { readonly limits: Limits }
}

/** A try of a person whose password was right. */
export interface CodeTry {
  readonly userId: string
  readonly code: string | undefined
  /** The browser's device, if the account remembers it: it has its own count of wrong codes. */
  readonly rememberedDevice?: string | undefined
}

export interface SecondFactorCheck {
  /**
   * Accepts a code once. Wrong ones are counted for the account over all networks.
   * @returns whether the account has a second factor
   * @throws ApiError `second_factor_required` without a code; `invalid` with `code: wrong_code`; RateLimited
   */
  prove(request: FastifyRequest, tried: CodeTry): Promise<boolean>
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
/** Ten characters of 32: 50 bits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  )

/** The hash by which a recovery code is stored. */
export const recoveryHash = (secrets: Secrets, userId: string, code: string): string =>
  secrets.mac('second-factor', `${userId} ${code}`)

/** The hashes that a code may be stored by: an earlier key may have made them. */
const recoveryHashes = (secrets: Secrets, userId: string, code: string): readonly string[] =>
  secrets.macs('second-factor', `${userId} ${code}`)

export const openSecret = (secrets: Secrets, { sealed, userId }: Pick<SecondFactor, 'sealed' | 'userId'>) =>
  secrets.open('second-factor', sealed, userId)

export function createSecondFactorCheck({
  db,
  clock,
  counts,
  secrets,
  settings: { limits },
}: Ports): SecondFactorCheck {
  const tries = createThrottle(counts, limits, 'second-factor')
  const failures = createAccountFailures(counts, limits.codeFailures)
  async function isUsed(factor: SecondFactor, code: string): Promise<boolean> {
    const { userId } = factor
    if (!/^\d{6}$/.test(code)) return takeRecoveryCode(db, userId, recoveryHashes(secrets, userId, code))
    const step = stepOf(openSecret(secrets, factor), code, clock())
    return step !== undefined && takeStep(db, userId, step)
  }
  return {
    async prove(request, { userId, code, rememberedDevice }) {
      const factor = await findSecondFactor(db, userId)
      if (!factor || factor.confirmedAt === null) return false
      if (code === undefined) throw new ApiError('second_factor_required')
      const attempt = { email: `codes of ${userId}`, rememberedDevice }
      await failures.spend(attempt)
      await tries.wait(request, userId, rememberedDevice !== undefined)
      if (!(await isUsed(factor, code))) throw new ApiError('invalid', { code: 'wrong_code' })
      await tries.reset(request, userId)
      await failures.uncount(attempt)
      return true
    },
  }
}
