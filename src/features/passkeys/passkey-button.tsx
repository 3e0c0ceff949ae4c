// PasskeyButton: signs in by a passkey instead of a password, and shows a failure.
import { KeyRound } from 'lucide-react'
import { passkeysText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'

interface PasskeyButtonProps {
  label: string
  busy: boolean
  /** A sentence about the last try. */
  problem: string | undefined
  onPress: () => void
}

export function PasskeyButton({ label, busy, problem, onPress }: PasskeyButtonProps) {
  return (
    <div className="mt-5 flex flex-col gap-4">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {words.or}
      </p>
      <Button
        look="quiet"
        wide
        busy={busy}
        busyLabel={text.working}
        icon={<KeyRound aria-hidden size={20} />}
        onClick={onPress}
      >
        {label}
      </Button>
      <p role="alert" className="text-sm text-seal-text empty:hidden">
        {problem}
      </p>
    </div>
  )
}
