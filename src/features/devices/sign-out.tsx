// SignOut: leaves this device. Whoever has drafts here is asked first, for they go; without any nobody is asked.
import { useEffect, useEffectEvent, useState } from 'react'
import type { SessionUser } from '#contract/session.ts'
import { countBelongings, type Belongings } from '#device/purge.ts'
import { viewer } from '#src/lib/session.ts'
import { signOutText as words } from '#src/lib/text-devices.ts'
import { AlertDialog } from '#src/ui/alert-dialog.tsx'
import { clearTraces } from './traces.ts'

interface SignOutProps {
  me: SessionUser
  onLeft: () => void
  onStay: () => void
}

const nothing: Belongings = { drafts: 0, unsent: { posts: 0, checks: 0 } }

export function SignOut({ me, onLeft, onStay }: SignOutProps) {
  const [asking, setAsking] = useState<Belongings>()
  const [busy, setBusy] = useState(false)
  async function leave() {
    setBusy(true)
    await viewer.signOut()
    await clearTraces(me.id).catch((error: unknown) => console.error(error))
    onLeft()
  }
  const begin = useEffectEvent((found: Belongings) => {
    if (found.drafts > 0) setAsking(found)
    else void leave()
  })
  useEffect(() => {
    let over = false
    // A device that cannot be read has nothing to ask about.
    void countBelongings(me.id)
      .catch(() => nothing)
      .then((found) => over || begin(found))
    return () => void (over = true)
  }, [me.id])
  return (
    <AlertDialog
      open={asking !== undefined}
      onOpenChange={(open) => !open && !busy && onStay()}
      title={words.title}
      description={asking && words.consequence(asking.drafts, asking.unsent)}
      cancel={words.stay}
      act={{ label: words.act, danger: true, busy, onSelect: () => void leave() }}
    />
  )
}
