// Resend: a button to send an email again, after a pause.
import { useEffect, useState } from 'react'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

/** Default time between two emails, ms. */
const PAUSE = 60_000

interface ResendProps {
  /** When the last email was requested, ms since 1970. */
  sentAt: number
  /** Shortest time between two emails, ms. */
  pause?: number
  onResend: () => Promise<void>
}

export function Resend({ sentAt, pause = PAUSE, onResend }: ResendProps) {
  const left = useSecondsUntil(sentAt + pause)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  async function resend() {
    setBusy(true)
    setRefused(undefined)
    try {
      await onResend()
      toast(accountText.resend.done, 'success')
    } catch (failure) {
      setRefused(refusalOf(failure, []).whole)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-soft">{accountText.spam}</p>
      <FormError sentence={refused} />
      <Button
        look="quiet"
        wide
        busy={busy}
        busyLabel={text.working}
        disabled={left > 0}
        onClick={() => void resend()}
      >
        <span className="tabular-nums">
          {left > 0 ? accountText.resend.wait(left) : accountText.resend.action}
        </span>
      </Button>
    </div>
  )
}

/** Whole seconds until then; 0 from then on. */
function useSecondsUntil(then: number): number {
  const [now, setNow] = useState(() => Date.now())
  const left = Math.max(0, Math.ceil((then - now) / 1000))
  useEffect(() => {
    if (Date.now() >= then) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= then) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [then])
  return left
}
