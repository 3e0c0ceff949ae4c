// Every event on every state of a payment, and random histories.
import { describe, expect, test } from 'vitest'
import { createRandom } from '#contract/testing/random.ts'
import { paymentStates } from '#contract/payments/payments.ts'
import { type Payment, paymentStep, type PaymentEvent, type PaymentState } from './payment.ts'

const AMOUNT = 500
const charge = (chargeId: string, amount = AMOUNT): PaymentEvent => ({ is: 'charged', chargeId, amount })
const hasPaid = (state: PaymentState) => ['paid', 'refunded', 'disputed'].includes(state)
const inState = (state: PaymentState): Payment => ({
  state,
  amount: AMOUNT,
  chargeId: hasPaid(state) ? 'g1' : null,
  refunded: state === 'refunded' ? AMOUNT : 0,
})
const refund = (chargeId: string, amount = AMOUNT): PaymentEvent => ({ is: 'refunded', chargeId, amount })

const events: Record<string, PaymentEvent> = {
  'form made': { is: 'form_made' },
  'charge g1': charge('g1'),
  'charge g2': charge('g2'),
  'charge g2 of 1 yen': charge('g2', 1),
  refusal: { is: 'refused' },
  timeout: { is: 'timed_out' },
  'refund of g1': refund('g1'),
  'refund of g2': refund('g2'),
  'refund of a part of g1': refund('g1', 200),
  'refund of more than g1': refund('g1', AMOUNT + 1),
  'dispute of g1': { is: 'disputed', chargeId: 'g1' },
  'dispute won': { is: 'dispute_decided', chargeId: 'g1', isWon: true },
  'dispute lost': { is: 'dispute_decided', chargeId: 'g1', isWon: false },
  registration: { is: 'registered' },
}

/** Results in the order of `events`: the new state, with `+` where access is granted and `-` where it is revoked. */
const table: Record<PaymentState, string> = {
  created:
    'pending paid+ paid+ surplus refused expired foreign foreign foreign foreign foreign foreign foreign registered',
  pending:
    '= paid+ paid+ surplus refused expired foreign foreign foreign foreign foreign foreign foreign registered',
  paid: '= = surplus surplus = = refunded- foreign paid = disputed- = = =',
  refused: '= paid+ paid+ surplus = = foreign foreign foreign foreign foreign foreign foreign registered',
  expired: '= paid+ paid+ surplus = = foreign foreign foreign foreign foreign foreign foreign registered',
  refunded: '= = surplus surplus = = = foreign = = = = = =',
  disputed: '= = surplus surplus = = = foreign = = = paid+ refunded =',
  registered: '= paid+ paid+ surplus = = foreign foreign foreign foreign foreign foreign foreign =',
}

const marks = { granted: '+', revoked: '-', same: '' }

function resultOf(payment: Payment, event: PaymentEvent): string {
  const step = paymentStep(payment, event)
  if (step.is === 'moved') return `${step.state}${marks[step.access]}`
  return step.is === 'unchanged' ? '=' : step.is
}

describe.each(paymentStates)('a payment that is %s', (state) => {
  const results = table[state].split(' ')
  test.each(Object.entries(events).map(([name, event], n) => [name, results[n], event] as const))(
    '%s: %s',
    (_, result, event) => expect(resultOf(inState(state), event)).toBe(result),
  )
})

/** The caller's part: stores what a step says. */
function apply(payment: Payment, event: PaymentEvent): Payment {
  const step = paymentStep(payment, event)
  if (step.is !== 'moved') return payment
  const chargeId = event.is === 'charged' ? event.chargeId : payment.chargeId
  const refunded = payment.refunded + (event.is === 'refunded' ? event.amount : 0)
  return { ...payment, state: step.state, chargeId, refunded }
}

test('in any history one charge grants access at most once, and each other charge is surplus', () => {
  const { pick, between } = createRandom(7)
  const all = Object.values(events)
  for (let seed = 0; seed < 3000; seed++) {
    let payment: Payment = inState('created')
    const granting: string[] = []
    const surplus = new Set<string>()
    const charged = new Set<string>()
    for (let n = between(1, 12); n > 0; n--) {
      const event: PaymentEvent = pick(all)
      const step = paymentStep(payment, event)
      if (event.is === 'charged') {
        charged.add(event.chargeId)
        if (step.is === 'surplus') surplus.add(event.chargeId)
        if (step.is === 'moved' && step.access === 'granted') granting.push(event.chargeId)
      }
      payment = apply(payment, event)
    }
    expect(granting.length).toBeLessThanOrEqual(1)
    expect(payment.chargeId).toBe(granting[0] ?? null)
    expect(payment.refunded).toBeLessThanOrEqual(AMOUNT)
    if (payment.refunded === AMOUNT) expect(payment.state).toBe('refunded')
    for (const it of charged) expect([it, granting.includes(it) || surplus.has(it)]).toEqual([it, true])
  }
})
