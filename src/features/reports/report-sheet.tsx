// ReportSheet: sends a report, and then offers to mute or block the person.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { listOwnReports, sendReport } from '#contract/posts/reports.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { requestBlock, type ModerationRequest } from '#src/domain/people/moderation-dialog.ts'
import { setMuted } from '#src/domain/people/relations.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { reportText as words } from './text.ts'
import { Button } from '#src/ui/button.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { ReportForm } from './report-form.tsx'

export type ReportRequest = Extract<ModerationRequest, { is: 'report' }>
type Result = ReplyOf<typeof sendReport>['is']

export function ReportSheet({ request, onOver }: { request: ReportRequest; onOver: () => void }) {
  const client = useQueryClient()
  const [result, setResult] = useState<Result>()
  const [busy, setBusy] = useState(false)
  async function send(body: BodyOf<typeof sendReport>) {
    setBusy(true)
    try {
      const params = { kind: request.kind, target_id: request.id }
      setResult((await call(sendReport, { params, body })).is)
      void client.invalidateQueries(queriesOf(listOwnReports))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onOver()
      }}
      title={words.title[request.kind]}
      closeLabel={text.close}
    >
      {result ? (
        <Thanks result={result} request={request} onOver={onOver} />
      ) : (
        <ReportForm request={request} send={send} />
      )}
    </Sheet>
  )
}

const titles: Record<Result, string> = { new: words.thanks, changed: words.changed, decided: words.decided }

function Thanks({ result, request, onOver }: { result: Result; request: ReportRequest; onOver: () => void }) {
  const client = useQueryClient()
  const { owner } = request
  const [busy, setBusy] = useState(false)
  async function mute() {
    setBusy(true)
    try {
      await setMuted(client, owner.id, true)
      toast(peopleText.muted(owner.name), 'success')
      onOver()
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${peopleText.notDone}${errorText[failure.code]}`, 'error')
    }
  }
  return (
    <output className="block pb-2">
      <p className="text-lg font-semibold">{titles[result]}</p>
      <p className="mt-1 text-soft">{result === 'decided' ? words.decidedText : words.thanksText}</p>
      <p className="mt-2">
        <Link to="/settings/reports" onClick={onOver} className={linkClass}>
          {words.history}
        </Link>
      </p>
      <p className="mt-6 font-semibold">{words.next(owner.name)}</p>
      <div className="mt-3 flex flex-col gap-2">
        <Button look="quiet" busy={busy} busyLabel={text.working} onClick={() => void mute()}>
          {peopleText.mute(owner.name)}
        </Button>
        <Button look="danger" className="border border-edge" onClick={() => requestBlock(owner)}>
          {peopleText.block(owner.name)}
        </Button>
      </div>
    </output>
  )
}
