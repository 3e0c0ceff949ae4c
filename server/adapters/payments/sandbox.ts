// The sandbox provider: the same form and notices as the link form, without money.
import { SANDBOX_PATH } from '#contract/paths.ts'
import { formFields } from './form-fields.ts'
import { chargesOf, type LinkForm } from './link-form.ts'
import { readLinkNotice } from './notice-query.ts'
import type { PaymentProvider, ProviderCalls } from './provider.ts'

/** A sandbox can do everything. */
export type SandboxCalls = Required<ProviderCalls>

export function createSandbox(
  { isNoticeAddress, ...shop }: Omit<LinkForm, 'url'>,
  calls: SandboxCalls,
): PaymentProvider {
  return {
    name: 'sandbox',
    storeId: shop.storeId,
    formOrigin: undefined,
    hasOwnAddress: false,
    isNoticeAddress,
    noticeHeaders: [],
    begin: async (payment) => ({
      is: 'form',
      form: { action: SANDBOX_PATH, fields: formFields(payment, shop) },
    }),
    readNotice: readLinkNotice,
    readCharges: chargesOf,
    ...calls,
  }
}
