// useOrder: begins the payment of a post, and opens the provider's form.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { newId } from '#contract/ids.ts'
import { beginPayment } from '#contract/payments/payments.ts'
import { getPost } from '#contract/posts/posts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import type { FormOfProvider } from './provider-form.tsx'
import { orderRefusal, paymentText } from './text.ts'

const words = paymentText.order

interface Order {
  readonly postId: string
  /** The shown price, yen. */
  readonly price: number
  /** Called when the post is bought already. */
  readonly onBought: () => void
}

export function useOrder({ postId, price, onBought }: Order) {
  const client = useQueryClient()
  // The same id for every try, so that a reply that was lost begins one payment.
  const paymentId = useRef<string>(undefined)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [form, setForm] = useState<FormOfProvider>()

  // The page is shown again by the back button of the provider's page.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setForm(undefined)
      setBusy(false)
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])

  const readPost = () => client.invalidateQueries(queryFor(getPost, { params: { post_id: postId } }))

  async function refused(failure: ApiFailure): Promise<void> {
    if (failure.code === 'already_bought') {
      await readPost()
      return onBought()
    }
    if (failure.code === 'price_changed') await readPost()
    if (failure.code === 'conflict') paymentId.current = undefined
    setProblem(
      failure.code === 'price_changed'
        ? words.priceChanged
        : (orderRefusal[failure.code] ?? errorText[failure.code]),
    )
  }

  async function confirm(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    paymentId.current ??= newId()
    try {
      const begun = await call(beginPayment, {
        body: { payment_id: paymentId.current, post_id: postId, price },
      })
      if (begun.form) return setForm(begun.form)
      // This payment can no longer be paid; the next try is another one.
      paymentId.current = undefined
      if (begun.state === 'paid') {
        await readPost()
        return onBought()
      }
      setProblem(words.timedOut)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      await refused(failure)
    }
    setBusy(false)
  }

  return { busy, problem, form, confirm }
}
