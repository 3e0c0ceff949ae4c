// InstallOffer: a banner above home that offers the installation.
import { useEffect, useState } from 'react'
import { date } from '#src/lib/format.ts'
import { install } from '#src/domain/install/install.ts'
import {
  installNote,
  mayOfferInstall,
  noInstallNote,
  noteDay,
  dismissOffer,
} from '#src/domain/install/install-moment.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { useStore } from '#src/lib/store.ts'
import { installText } from './text.ts'
import { Button } from '#src/ui/button.tsx'
import { InstallSheet } from './install-sheet.tsx'

const note = createPersistedValue(() => localStorage, 'todoke.install', installNote)
const read = () => note.read() ?? noInstallNote

export function InstallOffer() {
  const method = useStore(install.method)
  const [shown, setShown] = useState(() => mayOfferInstall(noteDay(read(), date(Date.now())), Date.now()))
  const [open, setOpen] = useState(false)
  useEffect(() => note.save(noteDay(read(), date(Date.now()))), [])
  // No offer if only the browser's menu can install.
  if (!shown || method === 'installed' || method === 'menu') return null
  function away(): void {
    note.save(dismissOffer(read(), Date.now()))
    setShown(false)
  }
  return (
    <section aria-label={installText.title} className="border-b border-line bg-sunk px-4 py-3">
      <p>{installText.offer}</p>
      <div className="mt-2 flex gap-2">
        <Button size="small" onClick={() => setOpen(true)}>
          {installText.how}
        </Button>
        <Button size="small" look="quiet" onClick={away}>
          {installText.later}
        </Button>
      </div>
      <InstallSheet method={method} open={open} onOpenChange={setOpen} />
    </section>
  )
}
