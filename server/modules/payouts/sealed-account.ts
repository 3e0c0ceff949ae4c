// Seals the number and holder of a bank account for its owner.
import * as v from 'valibot'
import type { Deps } from '#server/deps.ts'
import type { BankAccountRow } from '#server/store/payouts/bank-accounts.ts'

const secretPart = v.object({ number: v.pipe(v.string(), v.regex(/^\d{7}$/)), holder: v.string() })
/** 7 digits, and the holder by the accountNameCard rule. */
export type SecretPart = v.InferOutput<typeof secretPart>

/** The sealed text can be opened only for the same person, so that a row copied to another one is worthless. */
export const sealAccount = ({ secrets }: Pick<Deps, 'secrets'>, userId: string, part: SecretPart): string =>
  secrets.seal('bank-account', Buffer.from(JSON.stringify(part)), userId)

/** @throws if the text was changed, or sealed for another person or by another key */
export function openAccount(
  { secrets }: Pick<Deps, 'secrets'>,
  { userId, sealed }: Pick<BankAccountRow, 'userId' | 'sealed'>,
): SecretPart {
  return v.parse(secretPart, JSON.parse(secrets.open('bank-account', sealed, userId).toString()))
}
