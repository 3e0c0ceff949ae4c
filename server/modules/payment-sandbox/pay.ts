// What the buttons of the sandbox do: pay with a test card, or cancel.
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { monthAfter, monthOf } from '#server/rules/money/periods.ts'
import { addSandboxCharge, moveSandboxCharge, type SandboxCharge } from '#server/store/payments/sandbox.ts'
import { behaviourOf } from './behaviour.ts'
import { type CardForm, cardOf, type CardResult, cardResultOf } from './form.ts'
import { writeNotice } from './notices.ts'
import { startRecurring } from './recurring.ts'

/** Opens a charge for a form. */
export const openCharge = (deps: Deps, fields: CardForm): Promise<SandboxCharge> => {
  const [paymentId, amount] = [fields['payment_id'] ?? '', Number(fields['am'])]
  return openAgain(deps, { provider: 'sandbox', fields, paymentId, amount })
}

/** Opens a charge, also after a refused one. */
async function openAgain(
  { db, clock }: Deps,
  {
    provider,
    fields,
    paymentId,
    amount,
  }: Pick<SandboxCharge, 'provider' | 'fields' | 'paymentId' | 'amount'>,
): Promise<SandboxCharge> {
  const charge: SandboxCharge = {
    chargeRef: newId(),
    provider,
    fields,
    paymentId,
    amount,
    state: 'open',
    createdAt: new Date(clock()),
    chargedAt: null,
    recurringRef: null,
    refunded: 0,
  }
  await addSandboxCharge(db, charge)
  return charge
}

/** `wrong_card`: no test card. `refused`: `charge` is a new one for the next try. `closed`: it was decided before. */
export type PayResult =
  | { readonly is: 'paid'; readonly sendsNow: boolean }
  | {
      readonly is: 'refused'
      readonly charge: SandboxCharge
      readonly sendsNow: boolean
      readonly says: string
    }
  | { readonly is: 'wrong_card' }
  | { readonly is: 'closed' }

const sentences: Record<Extract<CardResult, 'refused' | 'refused_3ds'>, string> = {
  refused: 'このカードは使えませんでした。別のカードでお試しください。',
  refused_3ds: '本人認証（3Dセキュア）に失敗しました。もう一度試すか、別のカードをお使いください。',
}

/** @param card the typed number, which is compared and then dropped */
export async function payBy(deps: Deps, charge: SandboxCharge, card: string): Promise<PayResult> {
  const { db, clock } = deps
  const [known, typed] = [cardOf(card), cardResultOf(card)]
  if (typed === 'unknown') return { is: 'wrong_card' }
  const result = (await behaviourOf(db)).refuse && typed === 'paid' ? 'refused' : typed
  if (result === 'paid') {
    // One of no yen is none of the charges that took money.
    const isRegistration = charge.amount === 0
    const state = isRegistration ? 'cancelled' : 'paid'
    if (!(await moveSandboxCharge(db, charge.chargeRef, 'open', state, new Date(clock()))))
      return { is: 'closed' }
    const cardExpires = monthAfter(monthOf(clock()), known?.months)
    const recurringRef = await startRecurring(deps, charge, cardExpires)
    const told = { ...charge, recurringRef, cardExpires }
    return {
      is: 'paid',
      sendsNow: await writeNotice(deps, told, isRegistration ? 'registered' : 'charged'),
    }
  }
  if (!(await moveSandboxCharge(db, charge.chargeRef, 'open', 'refused'))) return { is: 'closed' }
  const sendsNow = await writeNotice(deps, charge, result)
  return { is: 'refused', charge: await openAgain(deps, charge), sendsNow, says: sentences[result] }
}

/** Cancels a charge; the provider sends no notice about it. */
export const cancelCharge = ({ db }: Deps, { chargeRef }: SandboxCharge): Promise<boolean> =>
  moveSandboxCharge(db, chargeRef, 'open', 'cancelled')
