// ParkedPosts: unsent posts and checks of signed-out accounts on this device.
import { Clock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { getAccountState } from '#contract/accounts/session.ts'
import type { Change } from '#device/database/changes.ts'
import { listParkedLeftover, type ParkedLeftover } from '#device/drafts/leftover.ts'
import { discardParked, noneUnsent } from '#device/session/purge.ts'
import { call } from '#src/domain/api/api.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { isUnsent, parkedText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { writeNote } from '#src/domain/drafts/unsent-note.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

const LeftoverSheet = lazy(async () => ({
  default: (await import('./leftover-sheet.tsx')).LeftoverSheet,
}))

/** `missing`: the account does not exist on the server. */
type Shown = Omit<ParkedLeftover, 'closed'> & { closed: 'suspended' | 'missing' | undefined }

export function ParkedPosts() {
  const parked = useParked()
  const [pending, setPending] = useState<{ of: Shown; open: boolean }>()
  const [looking, setLooking] = useState<{ of: string; open: boolean }>()
  const close = () => setPending((it) => it && { ...it, open: false })
  async function discard({ ownerId, unsent, closed }: Shown) {
    close()
    try {
      await discardParked(ownerId, closed ? 'all' : 'submitted')
      writeNote(document, ownerId, [], Date.now())
      toast(closed ? words.closedDone : words.done(unsent))
    } catch (error) {
      console.error(error)
      toast(words.failed, 'error')
    }
  }
  return (
    <>
      {parked.length > 0 && (
        <ul aria-label={words.label} className="mb-5 flex flex-col gap-2">
          {parked.map((it) =>
            isLeft(it) ? (
              <Row
                key={it.ownerId}
                of={it}
                onDiscard={() => setPending({ of: it, open: true })}
                onLook={() => setLooking({ of: it.ownerId, open: true })}
              />
            ) : (
              <Suspended key={it.ownerId} onRead={() => void discardParked(it.ownerId, 'all')} />
            ),
          )}
        </ul>
      )}
      {looking && (
        <Suspense>
          <LeftoverSheet
            key={looking.of}
            ownerId={looking.of}
            open={looking.open}
            onOpenChange={(open) => setLooking({ ...looking, open })}
          />
        </Suspense>
      )}
      <AlertDialog
        open={pending?.open === true}
        onOpenChange={(open) => !open && close()}
        title={pending?.of.closed ? words.closedTitle : words.title(pending?.of.unsent ?? noneUnsent)}
        description={pending && questionOf(pending.of)}
        cancel={text.cancel}
        action={{ label: words.action, danger: true, onSelect: () => pending && void discard(pending.of) }}
      />
    </>
  )
}

/** Whether content of the person is on this device. */
const isLeft = ({ unsent, drafts }: Shown): boolean => isUnsent(unsent) || drafts > 0

/** Says why a person was signed out, whose account was suspended and who left nothing here. */
function Suspended({ onRead }: { onRead: () => void }) {
  return (
    <li className="rounded-field bg-sunk py-3 pr-1 pl-3">
      <p className="pr-2 text-sm">{words.suspended}</p>
      <div className="mt-1 flex justify-end">
        <Button look="quiet" size="small" onClick={onRead}>
          {words.understood}
        </Button>
      </div>
    </li>
  )
}

function questionOf({ closed, unsent, drafts }: Shown): string {
  return closed ? words.closedText(words.left(unsent, drafts)) : words.text(unsent)
}

function Row({ of: it, onDiscard, onLook }: { of: Shown; onDiscard: () => void; onLook: () => void }) {
  const { name, unsent, drafts, closed } = it
  return (
    <li className="rounded-field bg-sunk py-2 pr-1 pl-3">
      <div className="flex items-center gap-3">
        <Clock aria-hidden size={18} className="shrink-0 text-soft" />
        <p className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
          {closed ? words.closed[closed](name, words.left(unsent, drafts)) : words.line(name, unsent)}
        </p>
        {!closed && <Discard of={it} onDiscard={onDiscard} />}
      </div>
      {closed && (
        <div className="mt-1 flex justify-end gap-2">
          <Button look="quiet" size="small" aria-label={words.lookOf(name)} onClick={onLook}>
            {words.look}
          </Button>
          <Discard of={it} onDiscard={onDiscard} />
        </div>
      )}
    </li>
  )
}

function Discard({ of: { name, unsent }, onDiscard }: { of: Shown; onDiscard: () => void }) {
  return (
    <Button look="danger" size="small" aria-label={words.discardOf(name, unsent)} onClick={onDiscard}>
      {words.discard}
    </Button>
  )
}

const isAbout = ({ store }: Change) => store === 'jobs' || store === 'session'

/** Accounts with posts or checks on this device. The server reports which of them still exist. */
function useParked(): Shown[] {
  const held = useDeviceRead({ key: ['held'], read: listParkedLeftover, isAbout })
  const missing = useDeviceRead({ key: ['held', 'missing'], read: readMissing, isAbout })
  const shown = held?.map((it): Shown => {
    return { ...it, closed: it.closed ?? (missing?.includes(it.ownerId) ? 'missing' : undefined) }
  })
  return shown?.filter((it) => it.closed || isUnsent(it.unsent)) ?? []
}

/** Ids of people on this device whose account no longer exists. */
async function readMissing(): Promise<readonly string[]> {
  const leftovers = (await listParkedLeftover()).filter((it) => !it.closed)
  const missing = await Promise.all(
    leftovers.map(async ({ ownerId }) => ((await isMissing(ownerId)) ? [ownerId] : [])),
  )
  return missing.flat()
}

/** Whether the account is closed; false without a reply. */
async function isMissing(userId: string): Promise<boolean> {
  const answer = await call(getAccountState, { params: { user_id: userId } }).catch(() => undefined)
  return answer?.state === 'closed'
}
