// Seals the data of a seller for their owner.
import * as v from 'valibot'
import { type SellerData, sellerDataView } from '#contract/sellers/seller-data.ts'
import type { Secrets } from '#server/adapters/secrets.ts'

interface SecretsPort {
  readonly secrets: Secrets
}

/** The sealed text can be opened only for the same person. */
export const sealSeller = ({ secrets }: SecretsPort, userId: string, data: SellerData): string =>
  secrets.seal('seller', Buffer.from(JSON.stringify(data)), userId)

/** @throws if the text was changed, or sealed for another person or by another key */
export function openSeller(
  { secrets }: SecretsPort,
  { userId, sealed }: { readonly userId: string; readonly sealed: string },
): SellerData {
  return v.parse(sellerDataView, JSON.parse(secrets.open('seller', sealed, userId).toString()))
}
