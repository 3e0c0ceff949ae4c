// Evidence: a person's statements and files; files are shown after a validation.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useEffect, useState } from 'react'
import { CHECK_FILE_PATH, type CheckDetail } from '#contract/identity/admin-identity.ts'
import { pathOf } from '#contract/endpoint.ts'
import { apiBase } from '#src/domain/api/api.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { administrationText as words } from './text.ts'
import { identityText, promptText } from '#src/domain/identity/text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { confirmationQuery } from './checks.ts'
import { Facts } from './facts.tsx'

type Sent = NonNullable<CheckDetail['evidence']>
type SentFile = Sent['files'][number]

/** A component that validates the admin; calls back afterwards. */
export type Confirms = ComponentType<{ onConfirmed: () => void }>

interface EvidenceProps {
  evidence: Sent
  Confirmation: Confirms
}

export function Evidence({ evidence, Confirmation }: EvidenceProps) {
  const { birth_date: birthDate, legal_name: name, legal_name_kana: kana, prompts, files } = evidence
  return (
    <>
      <section aria-labelledby="about">
        <h3 id="about" className="mb-2 font-semibold">
          {words.about}
        </h3>
        <Facts
          facts={[
            [words.legalName, name || words.notGiven],
            [words.legalNameKana, kana || words.notGiven],
            [words.birthDate, date(Date.parse(birthDate))],
          ]}
        />
      </section>
      {prompts.length > 0 && (
        <section aria-labelledby="gestures">
          <h3 id="gestures" className="mb-2 font-semibold">
            {words.gestures}
          </h3>
          <ol className="list-decimal pl-6">
            {prompts.map((prompt) => (
              <li key={prompt}>{promptText(prompt)}</li>
            ))}
          </ol>
        </section>
      )}
      <section aria-labelledby="files">
        <h3 id="files" className="mb-2 font-semibold">
          {words.files}
        </h3>
        {files.length === 0 ? <p>{words.filesGone}</p> : <Files files={files} Confirmation={Confirmation} />}
      </section>
    </>
  )
}

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

function Files({ files, Confirmation }: { files: readonly SentFile[]; Confirmation: Confirms }) {
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
        <ul className="flex flex-col gap-4">
          {files.map((file) => (
            <li key={file.id}>
              <SentPicture file={file} />
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

const addressOf = ({ id }: SentFile) => apiBase + pathOf(CHECK_FILE_PATH, { file_id: id })

function SentPicture({ file }: { file: SentFile }) {
  const client = useQueryClient()
  const [broken, setBroken] = useState(false)
  const part = identityText.parts[file.part]
  const onError = () => setBroken(true)
  // The validation may have expired, so it is read before the file is requested.
  async function again() {
    await client.invalidateQueries({ queryKey: confirmationQuery.queryKey })
    setBroken(false)
  }
  return (
    <figure>
      <figcaption className="mb-1 text-sm text-soft">{part}</figcaption>
      {broken ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 rounded-media bg-sunk px-4 py-6">
          <p>{words.fileBroken(part)}</p>
          <Button look="quiet" size="small" onClick={() => void again()}>
            {words.showAgain}
          </Button>
        </div>
      ) : file.part === 'live' ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording for one reviewer has no captions
        <video
          controls
          playsInline
          preload="metadata"
          aria-label={words.fileAlt(part)}
          src={addressOf(file)}
          onError={onError}
          className="max-h-[70vh] w-full rounded-media bg-black"
        />
      ) : (
        <ShownPicture
          src={addressOf(file)}
          alt={words.fileAlt(part)}
          className="max-h-[70vh] w-full rounded-media bg-sunk object-contain"
        />
      )}
    </figure>
  )
}
