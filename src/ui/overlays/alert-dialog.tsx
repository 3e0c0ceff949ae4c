// AlertDialog: a question, or a fact, that must be answered before going on.
import { lazy, Suspense, useState, type ReactNode } from 'react'

export interface AlertDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** The way out; alone it just closes. */
  cancel: string
  act?: { label: string; danger?: boolean; busy?: boolean; onSelect: () => void }
}

// Most are never asked: the page stands without them.
const AlertBox = lazy(async () => ({ default: (await import('./alert-box.tsx')).AlertBox }))

export function AlertDialog(props: AlertDialogProps) {
  const [asked, setAsked] = useState(props.open)
  if (props.open && !asked) setAsked(true)
  if (!asked) return null
  return (
    <Suspense>
      <AlertBox {...props} />
    </Suspense>
  )
}
