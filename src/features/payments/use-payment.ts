// usePayment: begins a payment, and leads to the provider.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { newId } from '#contract/ids.ts'
import { getAllowance } from '#contract/payments/allowance.ts'
import type { PaymentStart } from '#contract/payments/payments.ts'
import { ApiFailure, type FailureCode } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { orderText as words } from './text.ts'

interface Begun {
  readonly state: string
  /** Null when it cannot be paid any more; undefined of a server of the version before. */
  readonly start?: PaymentStart | null | undefined
  readonly form: Extract<PaymentStart, { is: 'form' }>['form'] | null
}

interface Sale {
  /** Begins the payment, or returns the one with this id. @throws ApiFailure */
  readonly begin: (paymentId: string) => Promise<Begun>
  /** Reads again what is sold, and for how much. */
  readonly readAgain: () => Promise<unknown>
  /** The refusal of what the person has already. */
  readonly had: FailureCode
  /** Called when the person has it already, after it was read again. */
  readonly onHad: () => void
  /** Sentences of refusals, where the general one would not help. */
  readonly refusals: Partial<Record<FailureCode, string>>
}

const generalRefusals: Partial<Record<FailureCode, string>> = {
  price_changed: words.priceChanged,
  unavailable: words.notOpened,
}

export function usePayment({ begin, readAgain, had, onHad, refusals }: Sale) {
  const client = useQueryClient()
  // The same id for every try, so that a reply that was lost begins one payment.
  const paymentId = useRef<string>(undefined)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [start, setStart] = useState<PaymentStart>()

  // The page is shown again by the back button of the provider's page.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setStart(undefined)
      setBusy(false)
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])

  async function refused({ code }: ApiFailure): Promise<void> {
    if (code === had) {
      await readAgain()
      return onHad()
    }
    if (code === 'price_changed' || code === 'plan_closed') await readAgain()
    // The page then says how much the account may pay, and from when this price can be paid.
    if (code === 'payment_limit') await client.invalidateQueries(queriesOf(getAllowance))
    if (code === 'conflict') paymentId.current = undefined
    setProblem(generalRefusals[code] ?? refusals[code] ?? errorText[code])
  }

  async function confirm(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    paymentId.current ??= newId()
    try {
      const begun = await begin(paymentId.current)
      if (begun.start) return setStart(begun.start)
      if (begun.form) return setStart({ is: 'form', form: begun.form })
      // This payment can no longer be paid; the next try is another one.
      paymentId.current = undefined
      if (begun.state === 'paid' || begun.state === 'registered') {
        await readAgain()
        return onHad()
      }
      setProblem(words.timedOut)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      await refused(failure)
    }
    setBusy(false)
  }

  return { busy, problem, start, confirm }
}
