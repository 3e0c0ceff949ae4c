// SentFiles: both sides of a document and the recording, beside each other.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { CHECK_FILE_PATH, type CheckDetail } from '#contract/identity/admin-identity.ts'
import { pathOf } from '#contract/endpoint.ts'
import { apiBase } from '#src/domain/api/api.ts'
import { identityText, promptText } from '#src/domain/identity/text.ts'
import { text } from '#src/domain/text/text.ts'
import { confirmationQuery, useMarkShown } from '#src/features/administration/checks.ts'
import { administrationText as words } from '#src/features/administration/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { Recording } from './recording.tsx'
import { ZoomView } from '#src/ui/pictures/zoom-view.tsx'

type Sent = NonNullable<CheckDetail['evidence']>
type SentFile = Sent['files'][number]

/** Until when this session may show files, ms since 1970; 0 before a validation. */
function useConfirmedUntil(): number {
  const { data } = useQuery(confirmationQuery)
  const until = data?.valid_until ? Date.parse(data.valid_until) : 0
  const [over, setOver] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(until), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return until > over ? until : 0
}

interface SentFilesProps {
  checkId: string
  files: readonly SentFile[]
  /** The gestures that were requested, in their order. */
  prompts: readonly string[]
  Confirmation: ComponentType<{ onConfirmed: () => void }>
}

export function SentFiles({ checkId, files, prompts, Confirmation }: SentFilesProps) {
  const client = useQueryClient()
  const until = useConfirmedUntil()
  const [confirming, setConfirming] = useState(false)
  async function confirmed() {
    await client.invalidateQueries({ queryKey: confirmationQuery.queryKey })
    setConfirming(false)
  }
  if (until > 0)
    return (
      <>
        <p className="mb-3 text-sm text-soft">{words.shownUntil(dateTime(until))}</p>
        <ul className="grid gap-6 wide:auto-cols-fr wide:grid-flow-col wide:gap-4">
          {files.map((file) => (
            <li key={file.id}>
              <SentPart checkId={checkId} file={file} />
              {file.part === 'live' && <Gestures prompts={prompts} />}
            </li>
          ))}
        </ul>
      </>
    )
  return (
    <>
      <p className="mb-3 text-soft">{words.showWhy}</p>
      <Button look="ink" onClick={() => setConfirming(true)}>
        {words.show}
      </Button>
      <Sheet
        open={confirming}
        onOpenChange={setConfirming}
        title={words.confirmTitle}
        closeLabel={text.close}
      >
        <Confirmation onConfirmed={() => void confirmed()} />
      </Sheet>
    </>
  )
}

/** What the recording has to show, in order. */
export function Gestures({ prompts }: { prompts: readonly string[] }) {
  if (prompts.length === 0) return null
  return (
    <section aria-labelledby="gestures" className="mt-3">
      <h4 id="gestures" className="mb-1 text-sm font-semibold">
        {words.gestures}
      </h4>
      <ol className="list-decimal pl-6">
        {prompts.map((prompt) => (
          <li key={prompt}>{promptText(prompt)}</li>
        ))}
      </ol>
    </section>
  )
}

const addressOf = ({ id }: SentFile) => apiBase + pathOf(CHECK_FILE_PATH, { file_id: id })
const frameClass = 'h-72 w-full'

function SentPart({ checkId, file }: { checkId: string; file: SentFile }) {
  const client = useQueryClient()
  const markShown = useMarkShown(checkId)
  const [broken, setBroken] = useState(false)
  const [counted, setCounted] = useState(false)
  if (file.shown && !counted) setCounted(true)
  const part = identityText.parts[file.part]
  // The validation may have expired: then the files are hidden until the next one.
  const readConfirmation = () => client.invalidateQueries({ queryKey: confirmationQuery.queryKey })
  const source = {
    onLoad: () => markShown(file.id),
    onError() {
      setBroken(true)
      void readConfirmation()
    },
    src: addressOf(file),
    className: frameClass,
  }
  // A server that has no record of it does not count it: the next reading of the check says so.
  const isLost = counted && !file.shown
  function showAgain() {
    setBroken(false)
    setCounted(false)
  }
  return (
    <figure>
      <figcaption className="mb-1 flex items-center gap-2 text-sm text-soft">
        {part}
        {file.shown && !broken && (
          <span className="inline-flex items-center gap-1 text-good-text">
            <Check aria-hidden size={16} />
            {words.shown}
          </span>
        )}
      </figcaption>
      {broken || isLost ? (
        <div role="alert" className="flex flex-col items-start gap-3 rounded-media bg-sunk px-4 py-6">
          <p>{isLost ? words.notShown(part) : words.fileBroken(part)}</p>
          {!isLost && <p className="text-sm text-soft">{words.fileBrokenWhy}</p>}
          <Button look="quiet" size="small" onClick={() => void readConfirmation().then(showAgain)}>
            {words.showAgain}
          </Button>
        </div>
      ) : file.part === 'live' ? (
        <Recording {...source} mime={file.mime} length={file.length} part={part} />
      ) : (
        <ZoomView {...source} alt={words.fileAlt(part)} label={words.zoomOf(part)} words={words.zoom} />
      )}
    </figure>
  )
}
