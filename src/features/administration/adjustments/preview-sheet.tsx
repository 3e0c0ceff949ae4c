// PreviewSheet: the form of an adjustment, then what it would book, then the act.
import { type ReactNode, useState } from 'react'
import type { BookedReply } from '#contract/adjustments/adjustments.ts'
import type { FieldCode } from '#contract/errors.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { LedgerTable } from './ledger-table.tsx'
import { adjustmentsText as words } from './text.ts'

export interface PreviewSheetProps {
  open: boolean
  onClose: () => void
  title: string
  /** The fields of the form. */
  children: ReactNode
  /** Checks the form and shows its problems. @returns whether there are none */
  check: () => boolean
  /** @param preview whether nothing is changed */
  request: (preview: boolean) => Promise<BookedReply>
  /** What will happen, beside the ledger. */
  facts: readonly (readonly [name: string, value: string])[]
  done: string
  onDone: () => void
  /** Called when the person has to confirm who they are first. */
  onUnconfirmed: () => void
  /** Shows the problems that the server found in fields. */
  onRefused?: ((fields: Readonly<Record<string, FieldCode>>) => void) | undefined
  /** The sentence for a conflict. */
  conflict?: string | undefined
  /** The sentence above the entries. */
  lead?: string | undefined
  /** What the admin should check before confirming. */
  warnings?: readonly string[] | undefined
}

export function PreviewSheet(props: PreviewSheetProps) {
  const { open, onClose, title, children } = props
  const { busy, shown, problem, back, send } = useAdjustment(props)
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !next && !busy && onClose()}
      title={title}
      closeLabel={text.close}
      footer={
        <div className={shown ? 'grid grid-cols-2 gap-3' : ''}>
          {shown && (
            <Button look="quiet" wide disabled={busy} onClick={back}>
              {words.back}
            </Button>
          )}
          <Button look="ink" wide busy={busy} busyLabel={text.working} onClick={() => void send()}>
            {shown ? words.confirm : words.preview}
          </Button>
        </div>
      }
    >
      <div hidden={shown !== undefined} className="flex flex-col gap-5">
        {children}
      </div>
      {shown && <Preview {...props} entries={shown.entries} waits={shown.waits} />}
      <FormError sentence={problem} />
    </Sheet>
  )
}

type PreviewProps = Pick<BookedReply, 'entries' | 'waits'> &
  Pick<PreviewSheetProps, 'facts' | 'lead' | 'warnings'>

function Preview({ entries, waits, facts, lead = words.previewLead, warnings }: PreviewProps) {
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {[...(waits ? [words.waits] : []), ...(warnings ?? [])].map((it) => (
        <p key={it} className="text-care-text">
          {it}
        </p>
      ))}
      <p>{entries.length === 0 ? words.previewNone : lead}</p>
      {entries.length > 0 && <LedgerTable entries={entries} />}
    </div>
  )
}

/** Requests the preview first, and then the adjustment. */
function useAdjustment(props: PreviewSheetProps) {
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState<BookedReply>()
  const [problem, setProblem] = useState<string>()

  async function send(): Promise<void> {
    if (!shown && !props.check()) return
    setProblem(undefined)
    setBusy(true)
    try {
      const reply = await props.request(!shown)
      const isAsked = shown !== undefined && reply.waits
      setShown(reply.done || isAsked ? undefined : reply)
      if (!reply.done && !isAsked) return
      toast(isAsked ? words.asked : props.done, 'success')
      props.onDone()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      report(failure)
    } finally {
      setBusy(false)
    }
  }

  function report(failure: ApiFailure): void {
    if (failure.code === 'validation_required') return props.onUnconfirmed()
    setShown(undefined)
    if (failure.code === 'invalid' && props.onRefused) return props.onRefused(failure.fields)
    if (failure.code === 'forbidden') return setProblem(words.own)
    const conflict = props.conflict ?? words.changed
    setProblem(failure.code === 'conflict' ? conflict : `${words.failed}${errorText[failure.code]}`)
  }

  return { busy, shown, problem, back: () => setShown(undefined), send }
}
