// UnreadableSheet: unreadable rows of the device, to copy or delete.
import { useState } from 'react'
import { discardUnreadable, listUnreadable, type UnreadableRow } from '#device/database/unreadable.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { text } from '#src/domain/text/text.ts'
import { versionsText as words } from './versions-text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'
import { cx } from '#src/ui/cx.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

interface UnreadableSheetProps {
  ownerId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function UnreadableSheet({ ownerId, open, onOpenChange }: UnreadableSheetProps) {
  const rows = useRows(ownerId)
  const [pending, setPending] = useState<{ of: UnreadableRow; open: boolean }>()
  const close = () => setPending((it) => it && { ...it, open: false })
  async function discard(row: UnreadableRow) {
    close()
    try {
      await discardUnreadable(ownerId, row)
      toast(words.discarded)
      if (rows.length === 1) onOpenChange(false)
    } catch (error) {
      console.error(error)
      toast(words.discardFailed, 'error')
    }
  }
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={words.sheet} closeLabel={text.close}>
      <p className="mb-2 text-sm text-soft">{words.hint}</p>
      <ul>
        {rows.map((row) => (
          <li key={`${row.store} ${row.id}`} className="border-t border-line py-4 first:border-t-0">
            <h3 className="text-sm text-soft">{words.kinds[row.store]}</h3>
            <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
              {row.text || words.noText}
            </p>
            <div className={cx('mt-2 flex gap-2', row.text === '' && '-ml-3')}>
              {row.text !== '' && (
                <Button look="quiet" size="small" onClick={() => void copyText(row.text, words)}>
                  {words.copy}
                </Button>
              )}
              <Button look="danger" size="small" onClick={() => setPending({ of: row, open: true })}>
                {words.discard}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <AlertDialog
        open={pending?.open === true}
        onOpenChange={(next) => !next && close()}
        title={words.discardTitle}
        description={words.discardText}
        cancel={text.cancel}
        action={{
          label: words.discardAct,
          danger: true,
          onSelect: () => pending && void discard(pending.of),
        }}
      />
    </Sheet>
  )
}

const useRows = (ownerId: string): UnreadableRow[] =>
  useDeviceRead({
    key: ['unreadable rows', ownerId],
    read: () => listUnreadable(ownerId),
    isAbout: ({ store }) => store === 'jobs' || store === 'drafts' || store === 'acts',
  }) ?? []
