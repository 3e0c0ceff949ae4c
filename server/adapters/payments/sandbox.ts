// The sandbox provider: the same form and notices as the link form, without money.
import { SANDBOX_PATH } from '#contract/paths.ts'
import { formFields } from './form-fields.ts'
import { readNoticeQuery } from './notice-query.ts'
import type { ListedCharge, PaymentProvider } from './provider.ts'

/** Where the sandbox has its charges. */
export interface SandboxCharges {
  readonly list: () => Promise<readonly ListedCharge[]>
  /** Marks a charge as refunded. A repeat changes nothing. */
  readonly refund: (gid: string) => Promise<void>
}

export function createSandbox(
  { storeId, sendsCod }: { readonly storeId: string; readonly sendsCod: boolean },
  charges: SandboxCharges,
): PaymentProvider {
  const done = async () => ({ is: 'done' }) as const
  return {
    name: 'sandbox',
    storeId,
    sendsCod,
    form: (payment) => ({ action: SANDBOX_PATH, fields: formFields(payment, { storeId, sendsCod }) }),
    readNotice: readNoticeQuery,
    // It has no recurring charges yet.
    stop: done,
    changeAmount: done,
    async refund(gid) {
      await charges.refund(gid)
      return { is: 'done' }
    },
    list: async () => ({ is: 'list', charges: await charges.list() }),
  }
}
