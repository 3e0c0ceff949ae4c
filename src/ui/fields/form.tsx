// Form: the fields, the error and the button of a form.
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'
import { FormError } from './form-error.tsx'
import { Restored } from '#src/ui/states/restored.tsx'

interface FormProps extends Pick<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown'> {
  busy: boolean
  busyLabel: string
  whole: string | undefined
  /** Set when the fields have restored values. */
  restored: ComponentProps<typeof Restored> | undefined
  /** Label of the button. */
  action: string
  children: ReactNode
}

export function Form({ busy, busyLabel, whole, restored, action, children, ...rest }: FormProps) {
  return (
    <form {...rest} noValidate className="flex flex-col gap-5">
      <FormError sentence={whole} />
      {restored && <Restored {...restored} />}
      {children}
      <Button type="submit" look="seal" wide busy={busy} busyLabel={busyLabel} className="mt-1">
        {action}
      </Button>
    </form>
  )
}
