// Faults planted in payment providers: signatures, and the provider that a row remembers.
import type { Fault } from './fault.ts'

const webhook = 'server/adapters/payments/hosted-sandbox/webhook.ts'
const ofWebhooks = ['server/modules/payments/webhooks.test.ts']
const ofEarlier = ['server/modules/payments/earlier-provider.test.ts']

export const providerFaults: readonly Fault[] = [
  {
    name: 'a webhook with the signature of another key counts',
    file: webhook,
    find: 'if (!header || !isSigned(header, request.body, secrets))',
    replace: 'if (!header)',
    tests: ofWebhooks,
    caughtBy: ', recorded and grants nothing',
  },
  {
    name: 'a webhook is signed without its time',
    file: webhook,
    find: '.update(`${time}.`)',
    replace: '.update(`${time.length}.`)',
    tests: ['server/adapters/payments/hosted-sandbox/webhook.test.ts'],
    caughtBy: 'an event is read',
  },
  {
    name: 'a webhook of long ago counts',
    file: webhook,
    find: '> REPLAY_WINDOW)',
    replace: '> 1000 * REPLAY_WINDOW)',
    tests: ofWebhooks,
    caughtBy: ', recorded and grants nothing',
  },
  {
    name: 'a repeated webhook is stored again for its new signature',
    file: 'server/modules/payments/notice-routes.ts',
    find: "function digestOf({ query, body }: Received, more: string): string {\n  const hash = createHash('sha256').update(query)",
    replace:
      "function digestOf({ query, body, headers }: Received, more: string): string {\n  const hash = createHash('sha256').update(query + JSON.stringify(headers))",
    tests: ofWebhooks,
    caughtBy: 'a delivery that is repeated with another signature is stored once',
  },
  {
    name: 'a webhook about a charge whose money is back opens the post',
    file: 'server/services/billing/handle-notice.ts',
    find: 'if (await wasTakenBack(unit.tx, provider, chargeRef))',
    replace: "if (provider === '')",
    tests: ofWebhooks,
    caughtBy: 'before its charge was noticed opens nothing when that comes',
  },
  {
    name: 'a webhook about money that the app returned makes a task',
    file: 'server/services/billing/taken-back.ts',
    find: 'if (known && isSettled(known, payment, amount))',
    replace: "if (known && provider === '')",
    tests: ofWebhooks,
    caughtBy: 'by a refund of the app needs nothing more',
  },
  {
    name: 'a webhook that is repeated late counts again',
    file: 'server/modules/payments/notice-routes.ts',
    find: '  if (reading.noticeRef !== undefined) return { chargeRef, kind, digest: hashOf(reading.noticeRef) }\n',
    replace: '',
    tests: ofWebhooks,
    caughtBy:
      'a delivery that is repeated an hour later, with other bytes about the delivery, is stored once',
  },
  {
    name: 'two refunds of a charge reach its provider at once',
    file: 'server/services/payments/refund.ts',
    find: "  const result = await ports.database.exclusively(`charge ${chargeId}`, () => returnOwed(ports, chargeId))\n  if (result === 'busy') throw new Error('money of the charge is being returned')\n",
    replace: '  await returnOwed(ports, chargeId)\n',
    tests: ['server/modules/payments/refund-order.test.ts'],
    caughtBy:
      'two refunds of a charge at once return their sum, also where the provider takes what is missing',
  },
  {
    name: 'a notice that is not of its provider grants access',
    file: 'server/rules/money/notice.ts',
    find: "  if (payment.provider !== null && payment.provider !== notice.provider) return 'provider'\n",
    replace: '',
    tests: ofWebhooks,
    caughtBy: 'a notice of the wrong one grants nothing, however right it is',
  },
  {
    name: 'money of a charge is not returned by its provider',
    file: 'server/services/payments/refund.ts',
    find: 'paymentProviders.of(charge.provider)?.refund',
    replace: 'paymentProviders.current?.refund',
    tests: ofEarlier,
    caughtBy: 'a refund goes to the provider of the charge, also after another one is configured',
  },
  {
    name: 'a recurring charge is not stopped by its provider',
    file: 'server/services/memberships/sync-charges.ts',
    find: 'performed(paymentProviders.of(row.provider), kind)',
    replace: 'performed(paymentProviders.current, kind)',
    tests: ofEarlier,
    caughtBy: 'the recurring charge of a cancelled membership is',
  },
  {
    name: 'an open payment is continued at another than its provider',
    file: 'server/services/payments/begin.ts',
    find: 'if (open?.amount === amount && isHere && open.registersOnly',
    replace: 'if (open?.amount === amount && open.registersOnly',
    tests: ofEarlier,
    caughtBy:
      'a payment that was begun before is paid at its provider, and a new one begins at the new provider',
  },
]
