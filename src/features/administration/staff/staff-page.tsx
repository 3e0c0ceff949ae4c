// StaffPage: everyone with a role, for admins, who give and take roles here.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import type { StaffMember } from '#contract/administration/staff.ts'
import { useMember } from '#src/domain/session/session.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { RoleSheet } from './role-sheet.tsx'
import { staffQuery } from './staff.ts'
import { staffText as words } from './text.ts'

interface StaffPageProps {
  failed: Failed
  Confirmation: Confirms
}

export function StaffPage({ failed, Confirmation }: StaffPageProps) {
  const [edited, setEdited] = useState<StaffMember | null>()
  const [confirming, setConfirming] = useState(false)
  return (
    <section aria-labelledby="staff" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="staff" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <StaffList failed={failed} onEdit={setEdited} />
      <div className="px-4 pt-4">
        <Button look="quiet" onClick={() => setEdited(null)}>
          {words.add}
        </Button>
      </div>
      {edited !== undefined && (
        <RoleSheet
          of={edited}
          onClose={() => setEdited(undefined)}
          onUnconfirmed={() => setConfirming(true)}
        />
      )}
      <ConfirmSheet
        description={words.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
    </section>
  )
}

interface StaffListProps {
  failed: Failed
  onEdit: (person: StaffMember) => void
}

function StaffList({ failed, onEdit }: StaffListProps) {
  const me = useMember()
  const reading = useQuery(staffQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  return (
    <ul aria-label={words.title} className="border-t border-line">
      {reading.data.staff.map((it) => (
        <li key={it.id} className="flex min-h-16 items-center gap-3 border-b border-line px-4 py-3">
          <div className="min-w-0 flex-1">
            <p className="flex items-center gap-2">
              <span className="truncate font-semibold">{it.name}</span>
              {it.id === me?.id && <Badge>{words.you}</Badge>}
            </p>
            <p className="truncate text-sm text-soft">
              {[words.roles[it.role], it.handle !== null && `@${it.handle}`, !it.active && words.inactive]
                .filter(Boolean)
                .join('・')}
            </p>
          </div>
          <Button look="quiet" size="small" aria-label={words.changeOf(it.name)} onClick={() => onEdit(it)}>
            {words.change}
          </Button>
        </li>
      ))}
    </ul>
  )
}
