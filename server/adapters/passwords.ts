// Hashes passwords by argon2id with the library's recommended cost.
import { hash, verify } from '@node-rs/argon2'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Compares a password; takes the same time without a stored hash, so that timing reveals nothing. */
  verify(stored: string | undefined, password: string): Promise<boolean>
}

/** @param cost smaller in tests, for speed */
export function createPasswords(
  cost: { memoryCost: number; timeCost: number } = { memoryCost: 19_456, timeCost: 2 },
): Passwords {
  const options = { ...cost, parallelism: 1 }
  const unused = hash('a password of no account', options)
  return {
    hash: (password) => hash(password, options),
    async verify(stored, password) {
      const same = await verify(stored ?? (await unused), password)
      return stored !== undefined && same
    },
  }
}
