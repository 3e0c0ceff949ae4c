// UploadTest: measures the upload and shows the browser's features, for support.
import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { megabytes } from '#src/lib/format.ts'
import { useMember } from '#src/domain/session/session.ts'
import { uploadTestText } from './text.ts'
import { Button } from '#src/ui/button.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'
import { readAbilities, type Abilities } from './abilities.ts'
import { abilityRows, reportText, resultRows, type Measured, type Row } from './report.ts'
import { useUploadTest, type TestState } from './use-upload-test.ts'

const words = uploadTestText
const sizes = ['1', '16', '64'] as const

export function UploadTest() {
  const me = useMember()
  return me && <Test key={me.id} ownerId={me.id} />
}

function Test({ ownerId }: { ownerId: string }) {
  const { state, start, stop } = useUploadTest(ownerId)
  const [size, setSize] = useState<(typeof sizes)[number]>('16')
  const abilities = useAbilities(state.is)
  const measuring = state.is === 'measuring'
  return (
    <div className="flex flex-col gap-6 px-4 py-5 rail:px-6">
      <p>{words.intro}</p>
      <section>
        <h2 className="mb-2 font-semibold">{words.size}</h2>
        <RadioCards
          label={words.size}
          value={size}
          onChange={setSize}
          cards={sizes.map((value) => ({ value, ...words.sizes[value], disabled: measuring }))}
        />
        <div className="mt-4">
          {measuring ? (
            <Button look="quiet" wide onClick={stop}>
              {words.stop}
            </Button>
          ) : (
            <Button look="seal" wide onClick={() => void start(Number(size))}>
              {words.start}
            </Button>
          )}
        </div>
      </section>
      <Outcome state={state} abilities={abilities} />
      {abilities && (
        <section>
          <h2 className="font-semibold">{words.device}</h2>
          <Rows rows={abilityRows(abilities)} />
        </section>
      )}
    </div>
  )
}

/** Read again after each measurement: permissions and room change. */
function useAbilities(turn: TestState['is']): Abilities | undefined {
  const [abilities, setAbilities] = useState<Abilities>()
  useEffect(() => {
    if (turn === 'measuring') return
    void readAbilities().then(setAbilities, (error: unknown) => console.error(error))
  }, [turn])
  return abilities
}

function Outcome({ state, abilities }: { state: TestState; abilities: Abilities | undefined }) {
  switch (state.is) {
    case 'idle':
      return null
    case 'measuring':
      return <Measuring size={state.size} {...state.progress} />
    case 'broken':
      return <p role="alert">{words.broken}</p>
    case 'measured':
      return <Result measured={state.measured} abilities={abilities} />
    default:
      return state satisfies never
  }
}

function Measuring({ size, sent, retries }: { size: number; sent: number; retries: number }) {
  return (
    <section aria-label={words.measuring}>
      <ProgressLine label={words.measuring} value={(sent / size) * 100} look="seal" />
      <p className="mt-2 text-sm text-soft tabular-nums">
        {words.sent(megabytes(sent), megabytes(size))}
        {retries > 0 && `・${words.rows.retries} ${words.times(retries)}`}
      </p>
    </section>
  )
}

function Result({ measured, abilities }: { measured: Measured; abilities: Abilities | undefined }) {
  const copy = (known: Abilities) => copyText(reportText(measured, known, navigator.userAgent), words)
  return (
    <section aria-label={words.result} aria-live="polite">
      <h2 className="font-semibold">{words.result}</h2>
      <Rows rows={resultRows(measured)} />
      {!measured.removed && <p className="mt-2 text-sm text-care-text">{words.remains}</p>}
      {abilities && (
        <Button
          look="quiet"
          size="small"
          className="mt-3"
          icon={<Copy aria-hidden size={18} />}
          onClick={() => void copy(abilities)}
        >
          {words.copy}
        </Button>
      )}
    </section>
  )
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="mt-1">
      {rows.map(([label, value]) => (
        <div key={label} className="flex gap-4 border-b border-line py-2.5">
          <dt className="min-w-0 flex-1 text-soft">{label}</dt>
          <dd className="max-w-3/5 text-right text-balance tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
