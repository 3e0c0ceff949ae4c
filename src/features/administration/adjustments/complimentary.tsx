// Complimentary: memberships that an admin gave, and giving another one.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ComplimentaryView, endComplimentary } from '#contract/adjustments/complimentary.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { complimentaryQuery } from './adjustments.ts'
import { GiveSheet } from './give-sheet.tsx'
import { adjustmentsText } from './text.ts'

const words = adjustmentsText.complimentary

interface ComplimentaryProps {
  userId: string
  failed: Failed
  onUnconfirmed: () => void
}

export function Complimentary({ userId, failed, onUnconfirmed }: ComplimentaryProps) {
  const reading = useQuery(complimentaryQuery(userId))
  const [open, setOpen] = useState(false)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { memberships, plans } = reading.data
  const changed = () => void reading.refetch()
  return (
    <section aria-labelledby="complimentary" className="px-4 pt-8">
      <h3 id="complimentary" className="font-semibold">
        {words.title}
      </h3>
      {memberships.length === 0 ? (
        <p className="mt-1 text-sm text-soft">{words.none}</p>
      ) : (
        <ul aria-label={words.list} className="mt-2 border-t border-line">
          {memberships.map((it) => (
            <Row
              key={it.id}
              membership={it}
              isOver={Date.parse(it.ends_at) <= reading.dataUpdatedAt}
              onUnconfirmed={onUnconfirmed}
              onChanged={changed}
            />
          ))}
        </ul>
      )}
      {plans.length > 0 && (
        <Button look="quiet" size="small" className="mt-3" onClick={() => setOpen(true)}>
          {words.act}
        </Button>
      )}
      {open && (
        <GiveSheet
          plans={plans}
          onUnconfirmed={onUnconfirmed}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            changed()
          }}
        />
      )}
    </section>
  )
}

interface RowProps {
  membership: ComplimentaryView
  isOver: boolean
  onUnconfirmed: () => void
  onChanged: () => void
}

function Row({ membership: it, isOver, onUnconfirmed, onChanged }: RowProps) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  async function end(): Promise<void> {
    setBusy(true)
    try {
      await call(endComplimentary, { params: { complimentary_id: it.id }, body: {} })
      toast(words.ended, 'success')
      onChanged()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(`${adjustmentsText.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }

  return (
    <li className="border-b border-line py-3 text-sm">
      <p className="break-words">{words.row(it.member.name, it.creator.name, it.plan?.name ?? words.gone)}</p>
      <p className="text-soft tabular-nums">
        {words.until(dateTime(Date.parse(it.ends_at)))}・{words.paid(yen(it.paid))}
      </p>
      <p className="break-words text-soft">{it.reason}</p>
      {!isOver && (
        <Button look="danger" size="small" className="mt-2" onClick={() => setAsking(true)}>
          {words.end}
        </Button>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={(open) => !open && !busy && setAsking(false)}
        title={words.endTitle}
        description={words.endText}
        cancel={text.cancel}
        action={{ label: words.end, danger: true, busy, onSelect: () => void end() }}
      />
    </li>
  )
}
