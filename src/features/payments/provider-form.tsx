// ProviderForm: posts the form of the payment provider as soon as it is shown.
import { useEffect, useRef } from 'react'

/** The form as the server made it (specification section 7). */
export interface FormOfProvider {
  readonly action: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

export function ProviderForm({ action, fields }: FormOfProvider) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <form ref={form} method="post" action={action} hidden>
      {fields.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  )
}
