// Form: fields one below the other, what was refused about the whole above them, and one act.
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'
import { FormError } from './form-error.tsx'
import { Restored } from '#src/ui/states/restored.tsx'

interface FormProps extends Pick<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown'> {
  busy: boolean
  busyLabel: string
  whole: string | undefined
  /** Where the fields hold what was typed at an earlier time. */
  restored: ComponentProps<typeof Restored> | undefined
  /** What the button does. */
  act: string
  children: ReactNode
}

export function Form({ busy, busyLabel, whole, restored, act, children, ...rest }: FormProps) {
  return (
    <form {...rest} noValidate className="flex flex-col gap-5">
      <FormError sentence={whole} />
      {restored && <Restored {...restored} />}
      {children}
      <Button type="submit" look="seal" wide busy={busy} busyLabel={busyLabel} className="mt-1">
        {act}
      </Button>
    </form>
  )
}
