// /user/data-export: the target of a data export's email.
import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { ExportCard } from '#src/features/leaving/export-card.tsx'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { useMember } from '#src/domain/session/session.ts'
import { exportText } from '#src/features/leaving/text.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

const secret = createPersistedValue(() => sessionStorage, 'todoke.export', v.object({ token: v.string() }))

export const Route = createFileRoute('/user/data-export')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'member', layout: 'simple', title: 'データのダウンロード', whileLeaving: true },
  validateSearch: v.object({ token: v.optional(v.fallback(v.string(), '')) }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    if (deps.token === undefined) return secret.read()?.token
    secret.save({ token: deps.token })
    throw redirect({ to: '/user/data-export', search: {}, replace: true })
  },
  component: DataExport,
})

function DataExport() {
  const token = Route.useLoaderData()
  const leaving = useMember()?.deletion_due !== undefined
  const router = useRouter()
  function prove() {
    secret.remove()
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
