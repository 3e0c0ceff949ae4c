// The sandbox provider: the same form and notices as the link form, without money.
import { SANDBOX_PATH } from '#contract/paths.ts'
import { formFields } from './form-fields.ts'
import { readNoticeQuery } from './notice-query.ts'
import type { PaymentProvider, ProviderList } from './provider.ts'

/** Where the sandbox has its charges. Each change may be repeated. */
export interface SandboxCharges {
  readonly list: () => Promise<ProviderList>
  /** @param returned whole yen in total */
  readonly refund: (gid: string, returned: number) => Promise<void>
  readonly stop: (acid: string) => Promise<void>
  readonly resume: (acid: string, amount: number) => Promise<void>
  readonly changeAmount: (acid: string, amount: number) => Promise<void>
}

interface Shop {
  readonly storeId: string
  readonly sendsCod: boolean
  readonly planJob: string
}

export function createSandbox(shop: Shop, charges: SandboxCharges): PaymentProvider {
  const done = async (change: Promise<void>) => {
    await change
    return { is: 'done' } as const
  }
  return {
    name: 'sandbox',
    storeId: shop.storeId,
    sendsCod: shop.sendsCod,
    form: (payment) => ({ action: SANDBOX_PATH, fields: formFields(payment, shop) }),
    readNotice: readNoticeQuery,
    stop: (acid) => done(charges.stop(acid)),
    resume: (acid, amount) => done(charges.resume(acid, amount)),
    changeAmount: (acid, amount) => done(charges.changeAmount(acid, amount)),
    refund: (gid, returned) => done(charges.refund(gid, returned)),
    list: async () => ({ is: 'list', ...(await charges.list()) }),
  }
}
