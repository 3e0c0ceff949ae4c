// AlertDialog: a modal question or statement.
import { lazy, Suspense, useState, type ReactNode } from 'react'

export interface AlertDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** Label of the button that closes the dialog. */
  cancel: string
  /** Returns what is focused after it closed; null for the element that was focused before. */
  finalFocus?: () => HTMLElement | null
  action?: { label: string; danger?: boolean; busy?: boolean; onSelect: () => void }
}

// Most dialogs never open: the page is drawn without them.
const AlertBox = lazy(async () => ({ default: (await import('./alert-box.tsx')).AlertBox }))

export function AlertDialog(props: AlertDialogProps) {
  const [mounted, setMounted] = useState(props.open)
  if (props.open && !mounted) setMounted(true)
  if (!mounted) return null
  return (
    <Suspense>
      <AlertBox {...props} />
    </Suspense>
  )
}
