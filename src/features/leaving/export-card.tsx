// ExportCard: requests and downloads the person's data as a zip.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { requestExport, getExport } from '#contract/accounts/export.ts'
import { call } from '#src/domain/api/api.ts'
import { dateTime, megabytes } from '#src/lib/format.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { exportText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { isValidated } from './password-validation.ts'
import { exportQuery } from './queries.ts'
import { requestZip } from './zip-file.ts'

const words = exportText

interface ExportCardProps {
  /** Token of the email's link, if it was opened. */
  token?: string | undefined
  /** The account waits for its deletion: an existing export can be downloaded, a new one not requested. */
  leaving?: boolean
  /** Opens the password validation, which returns here. */
  onValidate: () => void
}

export function ExportCard({ token, leaving = false, onValidate }: ExportCardProps) {
  const it = useQuery(exportQuery)
  const actions = useActions(token, onValidate)
  if (!it.data) {
    return it.error ? (
      <Card>
        <FormError sentence={refusalOf(it.error, []).whole} />
        <Button look="quiet" busy={it.isFetching} busyLabel={text.loading} onClick={() => void it.refetch()}>
          {text.retry}
        </Button>
      </Card>
    ) : (
      <Card>
        <Spinner label={text.loading} />
      </Card>
    )
  }
  return (
    <Card>
      <FormError sentence={actions.refused} />
      <Stage {...it.data} leaving={leaving} actions={actions} />
    </Card>
  )
}

function Card({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-media border border-line bg-raised p-4">
      <Archive aria-hidden size={24} className="mt-0.5 shrink-0 text-soft" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-3">{children}</div>
    </div>
  )
}

type State = Awaited<ReturnType<typeof call<typeof getExport>>>

interface StageProps extends State {
  leaving: boolean
  actions: ReturnType<typeof useActions>
}

function Stage({ export: it, may_ask_at, leaving, actions }: StageProps) {
  switch (it.is) {
    case 'waiting':
      return (
        <output>
          <span className="flex items-center gap-2 font-semibold">
            <Spinner size={18} />
            {words.waitingTitle}
          </span>
          <span className="mt-1 block text-sm text-soft">{words.waiting}</span>
        </output>
      )
    case 'ready':
      return (
        <>
          <div>
            <p className="font-semibold">{words.readyTitle}</p>
            <p className="mt-1 text-sm text-soft tabular-nums">
              {words.ready(megabytes(it.length), dateTime(Date.parse(it.expires_at)))}
            </p>
            <p className="mt-1 text-sm text-soft">{words.care}</p>
          </div>
          <Button look="ink" busy={actions.busy} busyLabel={text.working} onClick={actions.download}>
            {words.download}
          </Button>
          {!leaving && <RequestButton allowedAt={may_ask_at} actions={actions} label={words.again} />}
        </>
      )
    case 'none':
    case 'failed':
    case 'expired': {
      const lead = { none: words.text, failed: words.failed, expired: words.expired }[it.is]
      if (leaving) return <p className="text-sm text-soft">{words.none}</p>
      return (
        <>
          <p className="text-sm">{lead}</p>
          <RequestButton
            allowedAt={may_ask_at}
            actions={actions}
            label={it.is === 'none' ? words.create : words.again}
          />
        </>
      )
    }
    default:
      return it satisfies never
  }
}

function RequestButton({
  allowedAt,
  actions,
  label,
}: {
  allowedAt: string | null
  actions: ReturnType<typeof useActions>
  label: string
}) {
  if (allowedAt !== null)
    return <p className="text-sm text-soft tabular-nums">{words.nextAt(dateTime(Date.parse(allowedAt)))}</p>
  return (
    <Button look="quiet" busy={actions.busy} busyLabel={text.working} onClick={actions.request}>
      {label}
    </Button>
  )
}

/** Requests and downloads the zip; both may require a validation. */
function useActions(token: string | undefined, onValidate: () => void) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const withBusy = (work: () => Promise<string | void>) => () => {
    setBusy(true)
    setRefused(undefined)
    void work()
      .then((problem) => setRefused(problem ?? undefined))
      .catch((failure: unknown) => setRefused(refusalOf(failure, []).whole))
      .finally(() => setBusy(false))
  }
  return {
    busy,
    refused,
    request: withBusy(async () => {
      if (!(await isValidated())) return onValidate()
      cache.setQueryData(queryFor(getExport, {}).queryKey, await call(requestExport, {}))
    }),
    download: withBusy(async () => {
      const result = await requestZip(token)
      switch (result.is) {
        case 'available':
          // The page stays, since the response is an attachment.
          location.assign(result.href)
          return
        case 'closed':
          return onValidate()
        case 'gone':
          await cache.invalidateQueries(queryFor(getExport, {}))
          return words.linkUnusable
        default:
          result satisfies never
      }
    }),
  }
}
