// OwnSellerPage: the own data as a seller, and who has requested them.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type OwnSeller, removeOwnSeller } from '#contract/sellers/own-seller.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { OwnSellerForm } from './own-seller-form.tsx'
import { RequestLog } from './request-log.tsx'
import { ownSellerQuery } from './sellers.ts'
import { ownSellerText as words } from './text.ts'

export function OwnSellerPage() {
  const seller = useSuspenseQuery(ownSellerQuery).data
  const { may_store: may, stored } = seller
  if (may !== 'yes' && stored === null) return <Before why={may} />
  return (
    <div className="px-4 pt-5 pb-16 rail:px-6">
      <p>{words.lead}</p>
      <p className="mt-2 text-sm text-soft">{words.sealed}</p>
      <div className="mt-6">{may === 'yes' && <OwnSellerForm key={stored?.stored_at} seller={seller} />}</div>
      {stored && <Stored stored={stored} />}
      <RequestLog />
    </div>
  )
}

function Stored({ stored }: { stored: NonNullable<OwnSeller['stored']> }) {
  const me = useMember()
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
      <p className="text-soft tabular-nums">{words.storedAt(dateTime(Date.parse(stored.stored_at)))}</p>
      {me && (
        <Link to="/profile/seller/$id" params={{ id: me.id }} className={linkClass}>
          {words.see}
        </Link>
      )}
      <Remove />
    </div>
  )
}

function Remove() {
  const client = useQueryClient()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const { remove } = words
  async function drop(): Promise<void> {
    setBusy(true)
    try {
      client.setQueryData(ownSellerQuery.queryKey, await call(removeOwnSeller, {}))
      toast(remove.removed, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${remove.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
      setAsks(false)
    }
  }
  return (
    <>
      <Button look="danger" size="small" onClick={() => setAsks(true)}>
        {remove.action}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={(open) => !busy && setAsks(open)}
        title={remove.title}
        description={remove.text}
        cancel={text.cancel}
        action={{ label: remove.action, danger: true, busy, onSelect: () => void drop() }}
      />
    </>
  )
}

function Before({ why }: { why: 'identity_required' | 'under_age' }) {
  if (why === 'under_age') return <EmptyState drawing="letter" title={words.underAge} />
  return (
    <EmptyState
      drawing="letter"
      title={words.needsIdentity}
      text={words.needsIdentityText}
      action={
        <Link to="/user/verification" className={buttonClass('ink')}>
          {words.toIdentity}
        </Link>
      }
    />
  )
}
