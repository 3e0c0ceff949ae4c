// Signed webhooks of the hosted sandbox, also with what a notice says.
import { createHash, createHmac } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { webhookSecretsOf } from '#server/services/payments/identifiers.ts'
import type { World } from '#server/testing/world.ts'

type Fields = Readonly<Record<string, string | undefined>>

/** The header of a signature. @param now ms since 1970 */
export function signatureOf(body: string, secret: string, now: number): string {
  const time = Math.floor(now / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

export const webhookSecret = ({ deps }: World): string => webhookSecretsOf(deps.secrets)[0]

/** A request with a signed event. */
export function signed(world: World, event: object | string): Pick<InjectOptions, 'headers' | 'payload'> {
  const payload = typeof event === 'string' ? event : JSON.stringify(event)
  const signature = signatureOf(payload, webhookSecret(world), world.clock.now)
  return { payload, headers: { 'content-type': 'application/json', 'sandbox-signature': signature } }
}

/** The metadata of a payment, from the fields of its form. */
export const metadataOf = (fields: Fields) => ({
  payment: fields['payment_id'],
  session: fields['session_id'],
  auth: fields['auth_id'],
  shop: fields['aid'],
  ...(fields['cod'] && { order: fields['cod'] }),
})

/**
 * The event that says what the fields of a notice of the link form say. The same fields are the same event within an hour.
 * @param now ms since 1970
 */
export function eventOf(fields: Fields, now: number): object {
  const { gid: charge, acid: subscription, rst, payment_id: payment, cod, ta = '', ...others } = fields
  const numbers = { ...(charge && { charge }), ...(subscription && { subscription }) }
  const hour = Math.floor(now / 3600_000)
  const id = createHash('sha256')
    .update(`${hour} ${JSON.stringify(fields)}`)
    .digest('hex')
  const about = { id, ...numbers, x: others['x'] ?? others['ap'] }
  const report =
    rst === '3'
      ? { type: 'subscription.charge_failed' }
      : { type: 'subscription.stopped', by: rst === '4' ? 'buyer' : 'provider' }
  if (payment === undefined) return { ...report, ...about, ...(cod && { payment: cod }) }
  const paid = { ...about, amount: ta === '' ? null : Number(ta), metadata: metadataOf(fields) }
  const isRegistration = ta === '0' && subscription !== undefined
  if (rst === '1') return { type: isRegistration ? 'card.registered' : 'charge.succeeded', ...paid }
  return subscription ? { ...report, ...paid } : { type: 'charge.failed', ...paid }
}
