// ProviderStart: leads to the payment provider as soon as it is shown.
import { useEffect, useRef } from 'react'
import type { PaymentStart } from '#contract/payments/payments.ts'

export function ProviderStart({ start }: { start: PaymentStart }) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (start.is === 'redirect') window.location.assign(start.url)
    else form.current?.submit()
  }, [start])
  if (start.is === 'redirect') return null
  return (
    <form ref={form} method="post" action={start.form.action} hidden>
      {start.form.fields.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  )
}
