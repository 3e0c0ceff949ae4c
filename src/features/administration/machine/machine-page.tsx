// MachinePage: state of the servers, failed jobs and files, for admins.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { timeOfDay } from '#src/lib/format.ts'
import { Banner } from '#src/ui/states/banner.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { Checks, Storage, Versions } from './facts.tsx'
import { FailedMediaPart } from './failed-media.tsx'
import { FailedJobs, Queues } from './jobs.tsx'
import { JobSheet } from './job-sheet.tsx'
import { machineQuery, useMachineActs, type Which } from './machine.ts'
import { Servers } from './servers.tsx'
import { machineText as words } from './text.ts'

interface MachinePageProps {
  failed: Failed
  Confirmation: Confirms
}

export function MachinePage({ failed, Confirmation }: MachinePageProps) {
  const list = useRef<HTMLDivElement>(null)
  const [help, setHelp] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const [opened, setOpened] = useState<Which>()
  const acts = useMachineActs(() => setConfirming(true))
  useListKeys({ list, onHelp: () => setHelp(true) })
  const close = (done: boolean) => done && setOpened(undefined)
  return (
    <section data-wide-page aria-labelledby="machine" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="machine" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-2 text-soft">{words.lead}</p>
      <div ref={list}>
        <State failed={failed} onOpen={setOpened}>
          <FailedJobs failed={failed} onOpen={setOpened} />
          <FailedMediaPart failed={failed} busy={acts.busy} onRetry={(id) => void acts.retryMedia(id)} />
        </State>
      </div>
      {opened && (
        <JobSheet
          which={opened}
          busy={acts.busy}
          onClose={() => setOpened(undefined)}
          onRetry={() => void acts.retry(opened).then(close)}
          onDrop={() => void acts.drop(opened).then(close)}
        />
      )}
      <ConfirmSheet
        description={words.jobs.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
      <KeysSheet open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

interface StateProps {
  failed: Failed
  onOpen: (it: Which) => void
  /** Lists between the queues and the storage. */
  children: React.ReactNode
}

function State({ failed, onOpen, children }: StateProps) {
  const reading = useQuery(machineQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { data, dataUpdatedAt: readAt } = reading
  const time = timeOfDay(readAt)
  return (
    <>
      {reading.isError || reading.isPaused ? (
        <Banner look="care">{words.stale(time)}</Banner>
      ) : (
        <p className="px-4 text-sm text-soft tabular-nums">{words.readAt(time)}</p>
      )}
      <Checks checks={data.checks} now={readAt} />
      <Queues queues={data.queues} now={readAt} onOpen={onOpen} />
      {children}
      <Storage storage={data.storage} />
      <Servers servers={data.servers} now={readAt} />
      <Versions versions={data.versions} servers={data.servers.length} />
    </>
  )
}
