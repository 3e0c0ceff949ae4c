// Restored: states that fields have restored values, with a button to discard them.
import { Button } from '#src/ui/button.tsx'

interface RestoredProps {
  sentence: string
  action: string
  onDiscard: () => void
}

export function Restored({ sentence, action, onDiscard }: RestoredProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-field bg-sunk px-3 py-2">
      <output className="text-sm text-soft">{sentence}</output>
      <Button look="quiet" size="small" onClick={onDiscard}>
        {action}
      </Button>
    </div>
  )
}
