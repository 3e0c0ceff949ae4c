// The signed webhooks of the hosted sandbox.
import { createHmac } from 'node:crypto'
import { newId } from '#contract/ids.ts'
import type { ChargeResult, Wire } from './wire.ts'

const types: Record<ChargeResult, string> = {
  charged: 'charge.succeeded',
  registered: 'card.registered',
  refused: 'charge.failed',
  refused_3ds: 'charge.failed',
  renewal_failed: 'subscription.charge_failed',
  pending: 'charge.pending',
  expired: 'page.expired',
}

const textOf = (event: object) => JSON.stringify({ id: newId(), ...event })

export const hostedWire: Wire = {
  itemName: (fields) => fields['item'] ?? '',
  chargeDay: (fields) => fields['day'] ?? '',
  monthly: (fields, amount) => Number(fields['monthly'] ?? amount),
  sessionId: (fields) => fields['session'] ?? '',
  result({ chargeRef, recurringRef, amount, fields, cardExpires }, result, falsified) {
    const { payment, session, auth, shop } = fields
    return textOf({
      type: types[result],
      charge: chargeRef,
      ...(recurringRef !== null && { subscription: recurringRef }),
      amount: falsified.amount ?? amount,
      ...(cardExpires && { card_expires: cardExpires }),
      metadata: { payment, session, auth, shop: falsified.store ?? shop },
    })
  },
  stopped: ({ recurringRef, paymentId }, by) =>
    textOf({ type: 'subscription.stopped', by, subscription: recurringRef, payment: paymentId }),
  takenBack: ({ chargeRef, paymentId, amount }, is) =>
    textOf({ type: `charge.${is}`, charge: chargeRef, amount, payment: paymentId }),
  call: (payload, secret, now) => ({
    query: '',
    init: {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sandbox-signature': signatureOf(payload, secret, now) },
      body: payload,
    },
  }),
}

/** The header of a signature: HMAC of the time and the body. */
function signatureOf(payload: string, secret: string, now: number): string {
  const time = Math.floor(now / 1000)
  const mac = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')
  return `t=${time},v1=${mac}`
}
