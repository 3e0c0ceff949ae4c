// OwnData: the data export and the link to the account's deletion.
import { UserRoundX } from 'lucide-react'
import { exportText, leavingText } from './text.ts'
import { Row, Rows } from '#src/ui/rows.tsx'
import { ExportCard } from './export-card.tsx'

/** `onValidate` opens the password validation, which returns here. */
export function OwnData({ onValidate }: { onValidate: () => void }) {
  return (
    <>
      <section aria-labelledby="own-data" className="mt-8 px-4">
        <h2 id="own-data" className="pb-2 text-sm font-semibold text-soft">
          {exportText.title}
        </h2>
        <ExportCard onValidate={onValidate} />
      </section>
      <Rows label={leavingText.title}>
        <Row
          to="/user/delete-account"
          title={leavingText.toPage}
          hint={leavingText.toPageHint}
          icon={<UserRoundX aria-hidden size={20} />}
        />
      </Rows>
    </>
  )
}
