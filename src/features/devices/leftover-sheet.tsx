// LeftoverSheet: unsent content of a closed account, for copying and saving.
import { Copy, Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readWhole } from '#device/files/chunks.ts'
import { listLeftover, type Leftover } from '#device/drafts/leftover.ts'
import type { Media } from '#device/database/schema.ts'
import { parkedText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

interface LeftoverSheetProps {
  ownerId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function LeftoverSheet({ ownerId, open, onOpenChange }: LeftoverSheetProps) {
  const [found, setFound] = useState<Leftover[]>([])
  useEffect(() => {
    let over = false
    void listLeftover(ownerId).then(
      (it) => over || setFound(it),
      (error: unknown) => console.error(error),
    )
    return () => {
      over = true
    }
  }, [ownerId])
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={words.sheet} closeLabel={text.close}>
      <p className="mb-2 text-sm text-soft">{words.sheetHint}</p>
      <ul>
        {found.map((it) => (
          <Item key={it.id} {...it} />
        ))}
      </ul>
    </Sheet>
  )
}

function Item({ is, content, files }: Leftover) {
  return (
    <li className="border-t border-line py-4 first:border-t-0">
      <h3 className="text-sm text-soft">{words.kinds[is]}</h3>
      <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {content || words.noWords}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {content !== '' && (
          <Button look="quiet" size="small" onClick={() => void copyText(content, words)}>
            <Copy aria-hidden size={18} />
            {words.copy}
          </Button>
        )}
        {files.map((file) => (
          <Button key={file.id} look="quiet" size="small" onClick={() => void save(file)}>
            <Download aria-hidden size={18} />
            {words.save(file.name)}
          </Button>
        ))}
      </div>
    </li>
  )
}

async function save(media: Media): Promise<void> {
  const bytes = await readWhole(media).catch(() => undefined)
  if (!bytes) {
    toast(words.unreadableFile, 'error')
    return
  }
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = media.name
  link.click()
  // No event reports the start of the download, after which the URL is not needed.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
