// PasskeyList: the passkeys of this account, to add, rename and remove.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { listPasskeys, type PasskeyView } from '#contract/accounts/passkeys.ts'
import { date, dateTime, relative } from '#src/lib/format.ts'
import { queryFor, queriesOf } from '#src/domain/queries/query.ts'
import { passkeysText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { When } from '#src/ui/text/when.tsx'
import { canPasskeys } from './ceremonies.ts'
import { add, remove, type ManageEnd } from './manage.ts'
import { RenameSheet } from './rename-sheet.tsx'

/** The query of the list, for the page's loader. */
export const passkeysQuery = () => queryFor(listPasskeys, {})

interface PasskeyListProps {
  /** Called when a validation is required. */
  onValidate: () => void
}

type OpenDialog = { is: 'rename' | 'remove'; passkey: PasskeyView }

export function PasskeyList({ onValidate }: PasskeyListProps) {
  const { passkeys } = useSuspenseQuery(passkeysQuery()).data
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<ManageEnd>, done: string) {
    setBusy(true)
    const end = await work().finally(() => setBusy(false))
    setDialog(undefined)
    if (end.is === 'unproven') return onValidate()
    if (end.is === 'failed') toast(end.sentence, 'error')
    if (end.is === 'done') toast(done, 'success')
    await queryClient.invalidateQueries(queriesOf(listPasskeys))
  }
  const removing = dialog?.is === 'remove' ? dialog.passkey : undefined
  return (
    <section aria-labelledby="passkeys" className="mt-8 px-4">
      <h2 id="passkeys" className="pb-2 text-sm font-semibold text-soft">
        {words.title}
      </h2>
      <p className="text-sm text-soft">{words.hint}</p>
      {passkeys.length === 0 && <p className="mt-3">{words.none}</p>}
      <ul className="mt-3">
        {passkeys.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} onOpen={(is) => setDialog({ is, passkey })} />
        ))}
      </ul>
      <Adding busy={busy && !dialog} onAdd={() => void run(add, words.added)} />
      <RenameSheet
        passkey={dialog?.is === 'rename' ? dialog.passkey : undefined}
        onClose={() => setDialog(undefined)}
      />
      <AlertDialog
        open={removing !== undefined}
        onOpenChange={(open) => !open && !busy && setDialog(undefined)}
        title={words.removeTitle}
        description={removing && words.removeText(removing.name)}
        cancel={text.cancel}
        action={{
          label: words.removeAct,
          danger: true,
          busy,
          onSelect: () => removing && void run(() => remove(removing.id), words.removed),
        }}
      />
    </section>
  )
}

function Adding({ busy, onAdd }: { busy: boolean; onAdd: () => void }) {
  if (!canPasskeys) return <p className="mt-3 text-sm text-soft">{words.unsupported}</p>
  return (
    <Button look="quiet" size="small" className="mt-4" busy={busy} busyLabel={text.working} onClick={onAdd}>
      {words.add}
    </Button>
  )
}

function Row({ passkey, onOpen }: { passkey: PasskeyView; onOpen: (is: OpenDialog['is']) => void }) {
  const { name, last_used_at: used } = passkey
  return (
    <li className="flex items-center gap-3 border-t border-line py-3 first:border-t-0">
      <span className="grid size-11 shrink-0 place-items-center rounded-pill bg-sunk text-soft">
        <KeyRound aria-hidden size={22} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold [overflow-wrap:anywhere]">
          {name}
          {passkey.backed_up && <Badge>{words.backedUp}</Badge>}
        </p>
        <p className="text-sm text-soft">
          {words.created(date(Date.parse(passkey.created_at)))}・
          {used === null ? (
            words.neverUsed
          ) : (
            <>
              {words.lastUse}{' '}
              <When
                at={used}
                format={(at, now) => relative(Date.parse(at), now)}
                whole={dateTime(Date.parse(used))}
              />
            </>
          )}
        </p>
      </div>
      <div className="flex shrink-0">
        <IconButton label={words.rename(name)} icon={<Pencil size={18} />} onClick={() => onOpen('rename')} />
        <IconButton label={words.remove(name)} icon={<Trash2 size={18} />} onClick={() => onOpen('remove')} />
      </div>
    </li>
  )
}
