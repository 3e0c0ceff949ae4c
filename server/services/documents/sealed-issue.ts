// Seals what an issued receipt or statement said, for its row.
import * as v from 'valibot'
import type { Secrets } from '#server/adapters/secrets.ts'

interface SecretsPort {
  readonly secrets: Secrets
}

const receiptContent = v.object({
  addressee: v.string(),
  /** The creator's name in the app. */
  creator: v.string(),
  /** The name by law; null where the receipt did not have it. */
  seller: v.nullable(v.string()),
  /** `T` and 13 digits; null without one. */
  registrationNumber: v.nullable(v.string()),
  isInvoice: v.boolean(),
})
/** What an issue said beside its amounts and its day. */
export type ReceiptContent = v.InferOutput<typeof receiptContent>

/** @param id of the row: the text can be opened only for it */
export const sealReceipt = ({ secrets }: SecretsPort, id: string, content: ReceiptContent): string =>
  secrets.seal('receipt', Buffer.from(JSON.stringify(content)), id)

/** @throws if the text was changed, or sealed for another row or by another key */
export const openReceipt = (
  { secrets }: SecretsPort,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): ReceiptContent => v.parse(receiptContent, JSON.parse(secrets.open('receipt', sealed, id).toString()))

/** @param id of the statement: the text can be opened only for it */
export const sealAddressee = ({ secrets }: SecretsPort, id: string, addressee: string): string =>
  secrets.seal('statement', Buffer.from(addressee), id)

/** @throws as `openReceipt` */
export const openAddressee = (
  { secrets }: SecretsPort,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): string => secrets.open('statement', sealed, id).toString()
