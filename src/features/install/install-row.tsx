// InstallRow: the row of the settings that opens the installation.
import { SquarePlus } from 'lucide-react'
import { useState } from 'react'
import { install } from '#src/domain/install/install.ts'
import { useStore } from '#src/lib/store.ts'
import { installText } from './text.ts'
import { RowButton } from '#src/ui/rows.tsx'
import { InstallSheet } from './install-sheet.tsx'

export function InstallRow() {
  const method = useStore(install.method)
  const [open, setOpen] = useState(false)
  return (
    <>
      <RowButton
        title={installText.row}
        icon={<SquarePlus aria-hidden size={20} />}
        onPress={() => setOpen(true)}
      />
      <InstallSheet method={method} open={open} onOpenChange={setOpen} />
    </>
  )
}
