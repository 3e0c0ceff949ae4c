// SecondFactor: the second factor of this account, to turn on and off.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { getSecondFactor } from '#contract/accounts/second-factor.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { date } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { beginSetup, type Outcome, renewCodes, secondFactorQuery, type SetupKey, turnOff } from './manage.ts'
import { secondFactorText as words } from './text.ts'

// The drawing of QR codes is needed once in the life of an account.
const SetupSheet = lazy(async () => ({ default: (await import('./setup-sheet.tsx')).SetupSheet }))
const CodesSheet = lazy(async () => ({ default: (await import('./codes-sheet.tsx')).CodesSheet }))

/** Unused recovery codes below which new ones are suggested. */
const FEW = 3

type Open =
  | { is: 'setup'; key: SetupKey }
  | { is: 'codes'; codes: readonly string[] }
  | { is: 'renew' }
  | { is: 'off' }

/** What is open, and the actions, which end in another sheet or in a toast. */
function useSecondFactor(onValidate: () => void) {
  const client = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const [busy, setBusy] = useState(false)
  const refresh = () => client.invalidateQueries(queriesOf(getSecondFactor))
  async function run<T>(work: () => Promise<Outcome<T>>, then: (value: T) => void) {
    setBusy(true)
    const end = await work().finally(() => setBusy(false))
    if (end.is === 'unproven') return onValidate()
    if (end.is === 'failed') toast(end.sentence, 'error')
    else then(end.value)
    await refresh()
  }
  const showCodes = (codes: readonly string[]) => setOpen({ is: 'codes', codes })
  return {
    open,
    busy,
    show: setOpen,
    close: () => setOpen(undefined),
    begin: () => void run(beginSetup, (key) => setOpen({ is: 'setup', key })),
    renew: () => void run(renewCodes, showCodes),
    off: () =>
      void run(turnOff, () => {
        setOpen(undefined)
        toast(words.turnedOff, 'success')
      }),
    confirmed(codes: readonly string[]) {
      showCodes(codes)
      void refresh()
    },
  }
}

/** @param onValidate is called when a validation is required */
export function SecondFactor({ onValidate }: { onValidate: () => void }) {
  const { since, codes_left: left } = useSuspenseQuery(secondFactorQuery()).data
  const it = useSecondFactor(onValidate)
  return (
    <section aria-labelledby="second-factor" className="mt-8 px-4">
      <h2 id="second-factor" className="pb-2 text-sm font-semibold text-soft">
        {words.title}
      </h2>
      <p className="text-sm text-soft">{words.hint}</p>
      <p className="mt-3">{since === null ? words.off : words.on(date(Date.parse(since)))}</p>
      {since !== null && (
        <p className="text-sm text-soft">
          {words.codesLeft(left)}
          {left < FEW && <span className="block text-care-text">{words.fewCodes}</span>}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {since === null ? (
          <Button look="quiet" size="small" busy={it.busy} busyLabel={text.working} onClick={it.begin}>
            {words.turnOn}
          </Button>
        ) : (
          <>
            <Button look="quiet" size="small" onClick={() => it.show({ is: 'renew' })}>
              {words.renew}
            </Button>
            <Button look="danger" size="small" onClick={() => it.show({ is: 'off' })}>
              {words.turnOff}
            </Button>
          </>
        )}
      </div>
      <Opened {...it} />
    </section>
  )
}

function Opened({ open, busy, close, renew, off, confirmed }: ReturnType<typeof useSecondFactor>) {
  return (
    <>
      <Suspense>
        {open?.is === 'setup' && <SetupSheet setupKey={open.key} onClose={close} onCodes={confirmed} />}
        {open?.is === 'codes' && <CodesSheet codes={open.codes} onClose={close} />}
      </Suspense>
      <AlertDialog
        open={open?.is === 'renew'}
        onOpenChange={(next) => !next && !busy && close()}
        title={words.renewTitle}
        description={words.renewText}
        cancel={text.cancel}
        action={{ label: words.renewAct, busy, onSelect: renew }}
      />
      <AlertDialog
        open={open?.is === 'off'}
        onOpenChange={(next) => !next && !busy && close()}
        title={words.offTitle}
        description={words.offText}
        cancel={text.cancel}
        action={{ label: words.offAct, danger: true, busy, onSelect: off }}
      />
    </>
  )
}
