// ReportsPage: the list of cases, and beside it the one that is open.
import { useState } from 'react'
import { Keyboard } from 'lucide-react'
import type { CaseState } from '#contract/moderation/case-states.ts'
import { caseStates } from '#contract/moderation/case-states.ts'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { Button } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { CaseDetail } from './case-detail.tsx'
import { CaseList } from './case-list.tsx'
import type { CaseView } from './cases.ts'
import { TemplatesSheet } from './templates.tsx'
import { casesText as words } from './text.ts'
import { useCaseKeys } from './use-case-keys.ts'

interface ReportsPageProps {
  view: CaseView
  /** The case that is open; undefined for none. */
  open: string | undefined
  onView: (view: CaseView) => void
  onOpen: (id: string | undefined) => void
  failed: Failed
  Confirmation: Confirms
}

export function ReportsPage({ view, open, onView, onOpen, failed, Confirmation }: ReportsPageProps) {
  const [confirming, setConfirming] = useState(false)
  const [sheet, setSheet] = useState<'keys' | 'templates'>()
  useCaseKeys({ open, onOpen, onHelp: () => setSheet('keys') })
  return (
    <section
      data-wide-page
      aria-labelledby="cases"
      className="rail:grid rail:grid-cols-[22rem_minmax(0,1fr)]"
    >
      <div className={cx('rail:border-r rail:border-line', open !== undefined && 'hidden rail:block')}>
        <div className="flex items-center justify-between gap-2 px-4 pt-5 pb-2">
          <h2 id="cases" className="text-lg font-semibold">
            {words.title}
          </h2>
          <div className="flex gap-2">
            <Button look="quiet" size="small" onClick={() => setSheet('templates')}>
              {words.templates}
            </Button>
            <Button look="quiet" size="small" aria-label={words.keys} onClick={() => setSheet('keys')}>
              <Keyboard aria-hidden size={18} />
            </Button>
          </div>
        </div>
        <p className="px-4 pb-4 text-sm text-soft">{words.lead}</p>
        <Tabs<CaseState>
          label={words.title}
          value={view.state}
          onChange={(state) => onView({ ...view, state })}
          tabs={caseStates.map((value) => ({
            value,
            label: words.states[value],
            panel: <CaseList view={view} open={open} onView={onView} failed={failed} />,
          }))}
        />
      </div>
      <div className={cx(open === undefined && 'hidden rail:block')}>
        {open === undefined ? (
          <p className="px-6 py-16 text-center text-soft">{words.choose}</p>
        ) : (
          <CaseDetail
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
      <KeysSheet keys={words.keyList} open={sheet === 'keys'} onClose={() => setSheet(undefined)} />
      {sheet === 'templates' && <TemplatesSheet onClose={() => setSheet(undefined)} />}
    </section>
  )
}
