// Seals the data of a seller for their owner.
import * as v from 'valibot'
import { sellerDataView } from '#contract/sellers/seller-data.ts'
import type { Secrets } from '#server/adapters/secrets.ts'

const sellerRecord = v.object({
  ...sellerDataView.entries,
  /** `T` and 13 digits with the day from which on it is valid, `YYYY-MM-DD`; each '' without one. */
  registration_number: v.optional(v.string(), ''),
  registered_on: v.optional(v.string(), ''),
})
/** What is stored of a seller. */
export type SellerRecord = v.InferOutput<typeof sellerRecord>

interface SecretsPort {
  readonly secrets: Secrets
}

/** The sealed text can be opened only for the same person. */
export const sealSeller = ({ secrets }: SecretsPort, userId: string, data: SellerRecord): string =>
  secrets.seal('seller', Buffer.from(JSON.stringify(data)), userId)

/** @throws if the text was changed, or sealed for another person or by another key */
export function openSeller(
  { secrets }: SecretsPort,
  { userId, sealed }: { readonly userId: string; readonly sealed: string },
): SellerRecord {
  return v.parse(sellerRecord, JSON.parse(secrets.open('seller', sealed, userId).toString()))
}
