// AskedHere: stands over every page and answers what was asked about a person: a report, a block.
import { closeModeration, useModerationRequest } from '#src/domain/people/moderation-dialog.ts'
import { BlockDialog } from './block-dialog.tsx'
import { ReportSheet } from './report-sheet.tsx'

export function AskedHere() {
  const asked = useModerationRequest()
  if (!asked) return null
  const over = () => closeModeration(asked)
  switch (asked.is) {
    case 'block':
      return <BlockDialog key={asked.person.id} asked={asked} onOver={over} />
    case 'report':
      return <ReportSheet key={`${asked.kind} ${asked.id}`} asked={asked} onOver={over} />
    default:
      return asked satisfies never
  }
}
