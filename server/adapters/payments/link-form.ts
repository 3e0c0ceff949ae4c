// ROBOT PAYMENT's link form: the buyer's browser posts a form, notices come by GET.
import { readChargesCsv } from './charges-csv.ts'
import { formFields, type Shop } from './form-fields.ts'
import { readLinkNotice } from './notice-query.ts'
import type { PaymentProvider } from './provider.ts'

export interface LinkForm extends Shop {
  /** URL of the form, https. */
  readonly url: string
  /** Whether a notice may come from a network address. */
  readonly isNoticeAddress: (address: string) => boolean
}

/** The link form has no interface for changes after a charge: the operator makes them in the provider's own panel. */
export function createLinkForm({ url, isNoticeAddress, ...shop }: LinkForm): PaymentProvider {
  return {
    name: 'link-form',
    storeId: shop.storeId,
    formOrigin: new URL(url).origin,
    hasOwnAddress: false,
    isNoticeAddress,
    noticeHeaders: [],
    begin: async (payment) => ({ is: 'form', form: { action: url, fields: formFields(payment, shop) } }),
    readNotice: readLinkNotice,
    readCharges: chargesOf,
  }
}

/** The charges of a downloaded list; undefined for a text that cannot be read. */
export function chargesOf(text: string) {
  const read = readChargesCsv(text)
  return read.is === 'list' ? read.charges : undefined
}
