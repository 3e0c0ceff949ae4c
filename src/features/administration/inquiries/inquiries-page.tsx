// InquiriesPage: the list of inquiries, and beside it the one that is open.
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Keyboard } from 'lucide-react'
import { useState } from 'react'
import { type InquiryList as ListName, inquiryLists } from '#contract/inquiries/states.ts'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { useCaseKeys } from '#src/features/administration/reports/use-case-keys.ts'
import { Button } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { type InquiriesView, speedQuery } from './inquiries.ts'
import { InquiryDetail } from './inquiry-detail.tsx'
import { InquiryList } from './inquiry-list.tsx'
import { inquiriesText as words } from './text.ts'

interface InquiriesPageProps {
  view: InquiriesView
  /** The inquiry that is open; undefined for none. */
  open: string | undefined
  onView: (view: InquiriesView) => void
  onOpen: (id: string | undefined) => void
  failed: Failed
  Confirmation: Confirms
}

export function InquiriesPage({ view, open, onView, onOpen, failed, Confirmation }: InquiriesPageProps) {
  const [confirming, setConfirming] = useState(false)
  const [help, setHelp] = useState(false)
  useCaseKeys({ open, onOpen, onHelp: () => setHelp(true) })
  return (
    <section
      data-wide-page
      aria-labelledby="inquiries"
      className="rail:grid rail:grid-cols-[22rem_minmax(0,1fr)]"
    >
      <div className={cx('rail:border-r rail:border-line', open !== undefined && 'hidden rail:block')}>
        <ToDesk />
        <div className="flex items-center justify-between gap-2 px-4 pt-2 pb-2">
          <h2 id="inquiries" className="text-lg font-semibold">
            {words.title}
          </h2>
          <Button look="quiet" size="small" aria-label={words.keys} onClick={() => setHelp(true)}>
            <Keyboard aria-hidden size={18} />
          </Button>
        </div>
        <p className="px-4 pb-2 text-sm text-soft">{words.lead}</p>
        <Speed />
        <Tabs<ListName>
          label={words.title}
          value={view.list}
          onChange={(list) => onView({ ...view, list })}
          tabs={inquiryLists.map((value) => ({
            value,
            label: words.lists[value],
            panel: <InquiryList view={view} open={open} onView={onView} failed={failed} />,
          }))}
        />
      </div>
      <div className={cx(open === undefined && 'hidden rail:block')}>
        {open === undefined ? (
          <p className="px-6 py-16 text-center text-soft">{words.choose}</p>
        ) : (
          <InquiryDetail
            key={open}
            id={open}
            onClose={() => onOpen(undefined)}
            onUnconfirmed={() => setConfirming(true)}
            failed={failed}
          />
        )}
      </div>
      <ConfirmSheet
        description={words.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
      <KeysSheet keys={words.keyList} open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

function ToDesk() {
  return (
    <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
      <ChevronLeft aria-hidden size={20} />
      {words.toDesk}
    </Link>
  )
}

/** How fast claims of the latest quarters were decided. */
function Speed() {
  const quarters = useQuery(speedQuery).data?.quarters.filter((it) => it.speed !== null) ?? []
  if (quarters.length === 0) return null
  return (
    <dl className="px-4 pb-4 text-sm">
      {quarters.slice(0, 2).map(({ name, speed }) => (
        <div key={name}>
          <dt className="text-soft">{words.speed(name)}</dt>
          <dd className="tabular-nums">
            {speed &&
              words.speedOf(
                String(speed.median_days),
                String(speed.p90_days),
                String(Math.floor(speed.within_due * 100)),
              )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
