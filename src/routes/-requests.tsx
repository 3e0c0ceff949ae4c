// RequestsPart: inquiries in the administration, by the address of the page.
import { inquiryKinds, inquiryLists } from '#contract/inquiries/states.ts'
import { InquiriesPage } from '#src/features/administration/inquiries/inquiries-page.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { StaffConfirmation } from './-staff.tsx'

interface Search {
  readonly list?: string | undefined
  readonly kind?: string | undefined
  readonly late?: string | undefined
  readonly request?: string | undefined
}

interface RequestsPartProps {
  search: Search
  /** `replace`: without an entry in the history. */
  onSearch: (next: Search, replace: boolean) => void
}

export function RequestsPart({ search, onSearch }: RequestsPartProps) {
  const list = inquiryLists.find((it) => it === search.list) ?? 'open'
  const kind = inquiryKinds.find((it) => it === search.kind)
  const late = search.late === '1'
  return (
    <InquiriesPage
      view={{ list, kind, late }}
      open={search.request}
      onView={(next) => onSearch({ ...next, late: next.late ? '1' : undefined }, true)}
      onOpen={(request) => onSearch({ list, kind, late: late ? '1' : undefined, request }, false)}
      failed={loadFailed}
      Confirmation={StaffConfirmation}
    />
  )
}
