// InstallRow: the way to the home screen among the settings, there at any time.
import { SquarePlus } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { install } from '#src/domain/install/install.ts'
import { installText } from './text.ts'
import { RowButton } from '#src/ui/rows.tsx'
import { InstallSheet } from './install-sheet.tsx'

export function InstallRow() {
  const way = useSyncExternalStore(install.subscribe, install.way)
  const [open, setOpen] = useState(false)
  return (
    <>
      <RowButton
        title={installText.row}
        icon={<SquarePlus aria-hidden size={20} />}
        onPress={() => setOpen(true)}
      />
      <InstallSheet way={way} open={open} onOpenChange={setOpen} />
    </>
  )
}
