// A second sandbox: a hosted page by redirect, and signed notices by POST, without money.
import { HOSTED_SANDBOX_PATH } from '#contract/paths.ts'
import type { PaymentProvider, PaymentRequest } from '#server/adapters/payments/provider.ts'
import type { SandboxCalls } from '#server/adapters/payments/sandbox.ts'
import { readWebhook, SIGNATURE_HEADER } from './webhook.ts'

interface HostedShop {
  readonly storeId: string
  /** The keys of signatures that are accepted: a new one and those before it. */
  readonly webhookSecrets: readonly string[]
}

export interface HostedCalls extends SandboxCalls {
  /** Opens the page of a payment. A repeat opens the same one while it is not paid. @returns its number */
  readonly openPage: (payment: PaymentRequest, storeId: string) => Promise<string>
}

export function createHostedSandbox(
  { storeId, webhookSecrets }: HostedShop,
  { openPage, ...calls }: HostedCalls,
): PaymentProvider {
  return {
    name: 'hosted-sandbox',
    storeId,
    formOrigin: undefined,
    hasOwnAddress: true,
    // Its signature says whose a notice is.
    isNoticeAddress: () => true,
    noticeHeaders: [SIGNATURE_HEADER],
    async begin(payment) {
      const page = await openPage(payment, storeId)
      return { is: 'redirect', url: `${HOSTED_SANDBOX_PATH}/${encodeURIComponent(page)}` }
    },
    readNotice: (request) => readWebhook(request, webhookSecrets),
    readCharges: undefined,
    ...calls,
  }
}
