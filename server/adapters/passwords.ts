// Passwords: argon2id with the library's recommended cost.
import { hash, verify } from '@node-rs/argon2'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Does the same work without a hash to compare with, so that timing reveals nothing. */
  verify(stored: string | undefined, password: string): Promise<boolean>
}

/** @param cost smaller in tests, where nothing is guarded */
export function createPasswords(
  cost: { memoryCost: number; timeCost: number } = { memoryCost: 19_456, timeCost: 2 },
): Passwords {
  const options = { ...cost, parallelism: 1 }
  const nobody = hash('nobody has this password', options)
  return {
    hash: (password) => hash(password, options),
    async verify(stored, password) {
      const same = await verify(stored ?? (await nobody), password)
      return stored !== undefined && same
    },
  }
}
