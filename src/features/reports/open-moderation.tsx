// OpenModeration: the open report or block dialog, above every page.
import { closeModeration, useModerationRequest } from '#src/domain/people/moderation-dialog.ts'
import { BlockDialog } from './block-dialog.tsx'
import { ReportableMessages } from './reportable-messages.tsx'
import { ReportSheet } from './report-sheet.tsx'

export function OpenModeration() {
  const request = useModerationRequest()
  if (!request) return null
  const over = () => closeModeration(request)
  switch (request.is) {
    case 'block':
      return <BlockDialog key={request.person.id} request={request} onOver={over} />
    case 'messages':
      return <ReportableMessages key={request.person.id} person={request.person} onOver={over} />
    case 'report':
      return <ReportSheet key={`${request.kind} ${request.id}`} request={request} onOver={over} />
    default:
      return request satisfies never
  }
}
