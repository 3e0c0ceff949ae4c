// ROBOT PAYMENT's link form: the buyer's browser posts a form, notices come by GET.
import { formFields } from './form-fields.ts'
import { readNoticeQuery } from './notice-query.ts'
import type { PaymentProvider } from './provider.ts'

interface LinkForm {
  /** URL of the form, https. */
  readonly url: string
  readonly storeId: string
  readonly sendsCod: boolean
  readonly planJob: string
}

/** The link form has no interface for changes after a charge: the operator makes them in the provider's own panel. */
export function createLinkForm({ url, ...shop }: LinkForm): PaymentProvider {
  const task = async () => ({ is: 'task' }) as const
  return {
    name: 'link-form',
    storeId: shop.storeId,
    sendsCod: shop.sendsCod,
    form: (payment) => ({ action: url, fields: formFields(payment, shop) }),
    readNotice: readNoticeQuery,
    stop: task,
    resume: task,
    changeAmount: task,
    refund: task,
    list: task,
  }
}
