// SignOut: signs out, after a confirmation if data is deleted or unsent.
import { useEffect, useEffectEvent, useState } from 'react'
import type { SessionUser } from '#contract/accounts/session.ts'
import { countBelongings, type Belongings, noneUnsent } from '#device/session/purge.ts'
import { pageMutations } from '#src/domain/mutations/mutations.ts'
import { COMMENT_NOTE, FORM_NOTE, MESSAGE_NOTE, ownNames } from '#src/domain/drafts/own-notes.ts'
import { viewer } from '#src/domain/session/session.ts'
import { isUnsent, signOutText as words } from './text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { clearTraces } from './traces.ts'

interface SignOutProps {
  me: SessionUser
  /** @param from the path of the page at the press */
  onLeft: (from: string) => void
  onStay: () => void
}

const nothing: Belongings = {
  drafts: 0,
  files: 0,
  unsent: noneUnsent,
  acts: 0,
}

/** Data that a sign-out deletes or leaves, on the device and in this page. */
async function findBelongings(ownerId: string) {
  // A device that cannot be read needs no confirmation.
  const stored = await countBelongings(ownerId).catch(() => nothing)
  const count = (prefix: string) => ownNames(ownerId, prefix).length
  return {
    ...stored,
    comments: count(COMMENT_NOTE),
    messages: count(MESSAGE_NOTE),
    forms: count(FORM_NOTE),
    here: pageMutations(),
  }
}
type Found = Awaited<ReturnType<typeof findBelongings>>

const isAnything = ({ drafts, files, unsent, acts, comments, messages, forms, here }: Found): boolean =>
  isUnsent(unsent) || drafts + files + acts + comments + messages + forms + here > 0

export function SignOut({ me, onLeft, onStay }: SignOutProps) {
  const [confirming, setConfirming] = useState<Found>()
  const [busy, setBusy] = useState(false)
  async function leave() {
    setBusy(true)
    const { pathname } = location
    await clearTraces(me.id).catch((error: unknown) => console.error(error))
    await viewer.signOut()
    onLeft(pathname)
  }
  const begin = useEffectEvent((found: Found) => {
    if (isAnything(found)) setConfirming(found)
    else void leave()
  })
  useEffect(() => {
    let over = false
    void findBelongings(me.id).then((found) => over || begin(found))
    return () => void (over = true)
  }, [me.id])
  return (
    <AlertDialog
      open={confirming !== undefined}
      onOpenChange={(open) => !open && !busy && onStay()}
      title={words.title}
      description={confirming && words.consequence(confirming)}
      cancel={words.stay}
      action={{ label: words.action, danger: true, busy, onSelect: () => void leave() }}
    />
  )
}
