// ConfirmSheet: staff confirm who they are before a sensitive act.
import { text } from '#src/domain/text/text.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { Confirms } from './evidence.tsx'
import { payoutsText } from './payouts/payouts-text.ts'

const words = payoutsText.confirm

interface ConfirmSheetProps {
  /** Why, and for how long; by default for an act about money. */
  description?: string
  open: boolean
  onOpenChange: (open: boolean) => void
  Confirmation: Confirms
}

export function ConfirmSheet({
  description = words.text,
  open,
  onOpenChange,
  Confirmation,
}: ConfirmSheetProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={description}
      closeLabel={text.close}
    >
      <Confirmation
        onConfirmed={() => {
          onOpenChange(false)
          toast(words.done, 'success')
        }}
      />
    </Sheet>
  )
}
