// ConfirmSheet: asks admins who they are before an act about money.
import { text } from '#src/domain/text/text.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { payoutsText } from '#src/features/administration/payouts/payouts-text.ts'

const words = payoutsText.confirm

interface ConfirmSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  Confirmation: Confirms
}

export function ConfirmSheet({ open, onOpenChange, Confirmation }: ConfirmSheetProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={words.text}
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
