// /user/data-export: the target of a data export's email.
import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import { ExportCard } from '#src/features/leaving/export-card.tsx'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { useMember } from '#src/domain/session/session.ts'
import { exportText } from '#src/features/leaving/text.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

export const Route = createFileRoute('/user/data-export')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: {
    access: 'member',
    layout: 'simple',
    title: 'データのダウンロード',
    whileLeaving: true,
    secret: 'todoke.export',
  },
  loader: () => linkSecret('todoke.export').read()?.['token'],
  component: DataExport,
})

function DataExport() {
  const token = Route.useLoaderData()
  const leaving = useMember()?.deletion_due !== undefined
  const router = useRouter()
  function prove() {
    linkSecret('todoke.export').remove()
    router.history.push(validationPath('/user/data-export'))
  }
  return (
    <SimpleCard
      title={exportText.title}
      foot={
        <Link to="/" className={buttonClass('quiet', 'normal', true)}>
          {text.home}
        </Link>
      }
    >
      <ExportCard token={token} leaving={leaving} onValidate={prove} />
    </SimpleCard>
  )
}
