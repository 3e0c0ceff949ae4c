// Recording: loads a sent recording whole when it is asked for, and plays it.
import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { administrationText as words } from '#src/features/administration/text.ts'
import { Button } from '#src/ui/button.tsx'
import { readWhole } from './read-whole.ts'

interface RecordingProps {
  src: string
  mime: string
  /** Bytes. */
  length: number
  part: string
  onLoad: () => void
  onError: () => void
  /** Classes of the frame. */
  className: string
}

/** The button that had the focus is gone. The same function each time: React calls a new one after each change of the page. */
const focusOnce = (it: HTMLVideoElement | null): void => it?.focus({ preventScroll: true })

/**
 * A player would request the recording in ranges, of which the server does not know whether they were the whole (decision 120). The bytes
 * are in the memory of this page, as long as it shows them.
 */
export function Recording({ src, mime, length, part, onLoad, onError, className }: RecordingProps) {
  const [reading, setReading] = useState<AbortController>()
  const [percent, setPercent] = useState(0)
  const [url, setUrl] = useState<string>()
  useEffect(() => () => reading?.abort(), [reading])
  useEffect(() => () => void (url !== undefined && URL.revokeObjectURL(url)), [url])
  async function load() {
    const abort = new AbortController()
    setReading(abort)
    const blob = await readWhole(src, { mime, length, signal: abort.signal, onProgress: setPercent })
    if (abort.signal.aborted) return
    if (!blob) return onError()
    setUrl(URL.createObjectURL(blob))
    onLoad()
  }
  if (url !== undefined)
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording for one reviewer has no captions
      <video
        controls
        autoPlay
        playsInline
        aria-label={words.fileAlt(part)}
        src={url}
        onError={onError}
        ref={focusOnce}
        className={`${className} rounded-media bg-black object-contain`}
      />
    )
  return (
    <div className={`${className} grid place-items-center rounded-media bg-sunk px-4`}>
      {reading ? (
        <output className="text-soft tabular-nums">{words.loading(part, percent)}</output>
      ) : (
        <Button look="ink" icon={<Play aria-hidden size={20} />} onClick={() => void load()}>
          {words.playable}
        </Button>
      )}
    </div>
  )
}
